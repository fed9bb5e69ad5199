import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where the processes of one user meet: `$XDG_RUNTIME_DIR/waybill` (gone with the session, in memory), else
 * `~/.waybill/run`. A process that was started without the variable, by cron or a bare ssh, looks elsewhere than the
 * desktop's; such a pair names a folder: `WAYBILL_REGISTRY=directory:/path`.
 */
export function defaultPath(): string {
  const runtime = process.env['XDG_RUNTIME_DIR']
  return runtime === undefined || runtime === ''
    ? join(homedir(), '.waybill', 'run')
    : join(runtime, 'waybill')
}
