import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { NodeWorkflow } from '@angular-devkit/schematics/tools/index.js'
import { lastValueFrom } from 'rxjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')

/** Makes Nest's own starter in a folder, as `nest new` and `nest build` do, but asks no registry. */
export async function generateNestStarter(folder: string): Promise<void> {
  const workflow = new NodeWorkflow(folder, { resolvePaths: [HERE] })
  const options = { name: 'starter', directory: '.', language: 'ts', type: 'esm', strict: true, spec: false }
  await lastValueFrom(
    workflow.execute({ collection: '@nestjs/schematics', schematic: 'application', options }),
    { defaultValue: undefined },
  )
  await promisify(execFile)(process.execPath, [TSC, '-p', join(folder, 'tsconfig.build.json')])
}
