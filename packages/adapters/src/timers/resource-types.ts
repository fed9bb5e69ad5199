import { createHook } from 'node:async_hooks'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { WaybillError } from '@waybill/core/adapter'

/** `async_hooks` names each resource by its type. The names, and the timer's own `_repeat`, are internal to Node. */
const TIMERS: ReadonlySet<string> = new Set(['Timeout', 'Immediate'])
const SOCKETS: ReadonlySet<string> = new Set(['TCPWRAP', 'PIPEWRAP', 'UDPWRAP'])

/** Promises are not told of where Node has the option, from 24 on. */
export const NO_PROMISES: object = { trackPromises: false }

export function isTimer(type: string): boolean {
  return TIMERS.has(type)
}

export function isSocket(type: string): boolean {
  return SOCKETS.has(type)
}

/** True for a timer that fires again by itself. */
export function repeats(timer: object): boolean {
  return typeof (timer as { readonly _repeat?: unknown })._repeat === 'number'
}

/**
 * Makes one of each and looks how the runtime tells of it.
 * @throws WaybillError ERR_WAYBILL_CONFIGURATION where that is otherwise than here.
 */
export function checkResourceTypes(): void {
  const told: string[] = []
  const init = (_id: number, type: string, _trigger: number, resource: object): void => {
    if (isTimer(type)) told.push(repeats(resource) ? `repeating ${type}` : type)
    else if (isSocket(type)) told.push(type)
  }
  const hook = createHook({ init, ...NO_PROMISES }).enable()
  try {
    clearInterval(setInterval(() => {}, 1))
    clearTimeout(setTimeout(() => {}, 1))
    clearImmediate(setImmediate(() => {}))
    // Destroyed before it has begun to connect.
    connect(1, '127.0.0.1').destroy()
    createSocket('udp4').close()
  } finally {
    hook.disable()
  }
  const missing = EXPECTED.filter((type) => !told.includes(type))
  if (missing.length === 0) return
  throw new WaybillError(
    'ERR_WAYBILL_CONFIGURATION',
    {
      call: 'watchScopes(kit)',
      problem: `this runtime (Node ${process.version}) does not tell of: ${missing.join(', ')}`,
    },
    { remedy: 'Leave watchScopes out on this runtime.' },
  )
}

const EXPECTED = ['repeating Timeout', 'Timeout', 'Immediate', 'TCPWRAP', 'UDPWRAP']
