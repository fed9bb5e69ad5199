import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CHILD_WITHIN_MS = 30_000

const PROGRAMS = {
  chain: new URL('./chain.mjs', import.meta.url),
  clash: new URL('./clash.mjs', import.meta.url),
  'beside-opentelemetry': new URL('./beside-opentelemetry.mjs', import.meta.url),
}
const COUNTING = new URL('./count-storages.mjs', import.meta.url)

/**
 * Runs one of the programs of this folder in a Node process of its own, with none of the kit's variables set, and
 * returns the JSON that it prints.
 * @throws Error with what it wrote to stderr where it fails.
 */
export async function runChild<Printed>(
  program: keyof typeof PROGRAMS,
  argument: unknown,
  { counting = false }: { readonly counting?: boolean } = {},
): Promise<Printed> {
  const preload = counting ? ['--import', COUNTING.href] : []
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(WAYBILL_|NODE_OPTIONS$|DEPLOY_ENV$|APP_CELL$)/.test(name),
    ),
  )
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...preload, fileURLToPath(PROGRAMS[program]), JSON.stringify(argument)],
    { env, timeout: CHILD_WITHIN_MS },
  )
  return JSON.parse(stdout) as Printed
}
