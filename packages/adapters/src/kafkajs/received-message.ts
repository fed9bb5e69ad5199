import { adopt, readArrival, type Arrival, type Kit, type Waybill } from '@waybill/core/adapter'
import { messageCarrier } from './carrier.js'

/** A message as it was received, of kafkajs or of another client. */
export interface ReceivedMessage {
  readonly topic: string
  /** `headers` is a record or a Map; names in any case, values as Buffers, strings, or arrays of them. Anything else says nothing. */
  readonly message: { readonly headers?: unknown }
}

/**
 * Runs `fn` in the waybill of a message, a new request. For loops over a batch and for the streams of other clients;
 * `eachMessage` and `forEachMessage` do it by themselves. Returns what `fn` returns.
 * @throws WaybillError of an interceptor that does not admit the message; nothing that the message bears makes it throw.
 */
export function runWithMessage<T>(kit: Kit, received: ReceivedMessage, fn: () => T): T {
  if (kit.disabled) return fn()
  const adopted = adopt(kit, arrivalOf(received))
  readFacts(adopted.waybill)
  if (adopted.refusal !== undefined) throw adopted.refusal
  return adopted.run(fn)
}

/** The waybill that a message bears. Enters no scope and takes nothing in: to handle the message, use {@link runWithMessage}. */
export function waybillOf(kit: Kit, received: ReceivedMessage): Waybill {
  const waybill = readArrival(kit, arrivalOf(received))
  readFacts(waybill)
  return waybill
}

function arrivalOf({ topic, message }: ReceivedMessage): Arrival {
  return {
    kind: 'message',
    topic,
    carrier: messageCarrier(message.headers),
    inbound: 'peer',
    peer: undefined,
    method: undefined,
    url: undefined,
  }
}

/** Now: an unread waybill in a waiting timer would keep the headers alive, and with them the whole fetch. */
function readFacts(waybill: Waybill): void {
  void waybill.depth
}
