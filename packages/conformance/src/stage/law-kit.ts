import { createKit, type Kit, type KitOptions } from '@waybill/core'

/** A kit whose facts do not depend on the shell in which the suite runs. */
export function lawKit(options: KitOptions = {}): Kit {
  return createKit({
    service: 'near',
    environment: 'test',
    clks: [],
    baseline: false,
    disabled: false,
    ...options,
    trust: { inbound: 'peer', ...options.trust },
  })
}
