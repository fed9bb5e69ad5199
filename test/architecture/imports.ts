import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { SourceFile } from './source-files.js'

const builtins = new Set(builtinModules)

/** What a file imports: a builtin as `node:…`, a file of its package by its path, all else as written. */
export const importsOf = (file: SourceFile): string[] => specifiers(file, () => true)

/** Those imports that are still there when the program runs: `import type` and `export type` are erased. */
export const runtimeImportsOf = (file: SourceFile): string[] => specifiers(file, (typeOnly) => !typeOnly)

function specifiers(file: SourceFile, wanted: (typeOnly: boolean) => boolean): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      keep(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    else if (ts.isExportDeclaration(node)) keep(node.moduleSpecifier, node.isTypeOnly)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      keep(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      keep(node.arguments[0], false)
    ts.forEachChild(node, visit)
  }
  const keep = (specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (specifier !== undefined && ts.isStringLiteral(specifier) && wanted(typeOnly))
      found.push(resolve(file, specifier.text))
  }
  visit(ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2022))
  return found
}

function resolve(file: SourceFile, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(file.path), specifier).replace(/\.js$/, '.ts')
  return builtins.has(specifier) ? `node:${specifier}` : specifier
}

/** The package that an import names: `@waybill/core` for `@waybill/core/adapter`. */
export const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** The circles of a graph, each as the list of its members; a file that imports itself is one. */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node)
    if (at >= 0) {
      found.push([...trail.slice(at), node])
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}
