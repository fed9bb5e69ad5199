import { join } from 'node:path'
import ts from 'typescript'
import { entryFiles } from './entries.js'
import { read, root } from './source-files.js'

/** The names of one entry, each list sorted. A class stands among the values. */
export interface PublicNames {
  readonly values: readonly string[]
  readonly types: readonly string[]
}

/** The public names as the sources have them now. */
export function publicNames(): Record<string, PublicNames> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram({ rootNames: entryFiles.map(({ file }) => join(root, file)), options })
  return Object.fromEntries(entryFiles.map(({ name, file }) => [name, namesOf(program, join(root, file))]))
}

function namesOf(program: ts.Program, path: string): PublicNames {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(path)
  const symbol = source && checker.getSymbolAtLocation(source)
  const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol)
  const [values, types]: [string[], string[]] = [[], []]
  for (const each of exported) (isValue(checker, each) ? values : types).push(each.name)
  return { values: values.sort(), types: types.sort() }
}

function isValue(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  if (!(symbol.flags & ts.SymbolFlags.Alias)) return (symbol.flags & ts.SymbolFlags.Value) !== 0
  const typeOnly = symbol.declarations?.some(
    (declaration) => ts.isExportSpecifier(declaration) && ts.isTypeOnlyExportDeclaration(declaration),
  )
  return typeOnly !== true && (checker.getAliasedSymbol(symbol).flags & ts.SymbolFlags.Value) !== 0
}

/** The public names as committed; `npx vitest run --project architecture -u` writes them anew. */
export const committedNames = (): Record<string, PublicNames> =>
  JSON.parse(read('test/architecture/public-names.json') || '{}') as Record<string, PublicNames>
