import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Where the processes of one user meet: `$XDG_RUNTIME_DIR/waybill` (gone with the session, in memory), else
 * `~/.waybill/run`. A relative value of the variable counts as none, as its specification says.
 */
export function defaultPath(): string {
  const runtime = process.env['XDG_RUNTIME_DIR']
  return runtime !== undefined && isAbsolute(runtime)
    ? join(runtime, 'waybill')
    : join(homedir(), '.waybill', 'run')
}
