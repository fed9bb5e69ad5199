import { startHaproxy } from '@waybill/servers/haproxy'
import { startNginx } from '@waybill/servers/nginx'
import { beforeAll } from 'vitest'

const INSTALLED_WITHIN_MS = 600_000

/** Tries both proxies before the tests of a file: to install what is missing takes longer than a test may. */
export function proxiesAtHand(): void {
  beforeAll(async () => {
    for (const start of [startNginx, startHaproxy]) {
      const proxy = await start({ to: '127.0.0.1:1' })
      await proxy.stop()
    }
  }, INSTALLED_WITHIN_MS)
}
