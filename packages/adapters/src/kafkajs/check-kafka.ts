import { described, WaybillError } from '@waybill/core/adapter'

/** @throws WaybillError ERR_WAYBILL_CONFIGURATION for what is no `Kafka`; it says what was handed in. */
export function checkKafka(call: string, value: unknown): void {
  const { producer, consumer } = (value ?? {}) as { readonly producer?: unknown; readonly consumer?: unknown }
  if (typeof producer === 'function' && typeof consumer === 'function') return
  throw new WaybillError(
    'ERR_WAYBILL_CONFIGURATION',
    { call, option: 'kafka', problem: `takes a Kafka of kafkajs, and got ${described(value)}` },
    { remedy: 'Hand in new Kafka({ brokers }).' },
  )
}
