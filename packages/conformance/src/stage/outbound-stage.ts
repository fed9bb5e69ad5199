import type { Kit, KitOptions } from '@waybill/core'
import type { OutboundHalf, OutboundReply, OutboundRequest } from '../adapter-record.js'
import { Loans } from '../loans.js'
import { farServer, type Answer, type FarServer } from '../wire/far-server.js'
import { lawKit } from './law-kit.js'

/** What a law for calls sets up. */
export interface OutboundSetting {
  readonly kit?: KitOptions
  /** True: the bare host, without the adapter. */
  readonly bare?: boolean
  readonly times?: 1 | 2
  readonly answer?: Answer
}

/** A client behind the adapter, and a plain server that the kit knows as service `far`. */
export interface OutboundStage {
  readonly kit: Kit
  readonly far: FarServer
  readonly loans: Loans
  /** Calls `far`, path `/` unless the request has a URL. Rejects where no answer comes in time. */
  readonly call: (request?: Partial<OutboundRequest>) => Promise<OutboundReply>
  readonly undo: () => void
}

const ANSWER_WITHIN_MS = 5_000

/** Opens a stage, lets a law act on it, and closes it in any case. */
export async function withOutbound(
  half: OutboundHalf,
  setting: OutboundSetting,
  act: (stage: OutboundStage) => Promise<void>,
): Promise<void> {
  const far = await farServer(setting.answer)
  try {
    const options = setting.kit ?? {}
    const services = { far: { hosts: ['far', `127.0.0.1:${String(far.port)}`] }, ...options.services }
    const kit = lawKit({ ...options, services })
    const loans = new Loans()
    const { lend } = loans
    const hop = await half.open({
      kit: setting.bare === true ? undefined : kit,
      times: setting.times ?? 1,
      lend,
    })
    try {
      await act({
        kit,
        far,
        loans,
        call: (request = {}) =>
          inTime(hop.call({ url: `${far.origin}/`, method: 'GET', headers: {}, ...request })),
        undo() {
          if (hop.undo === undefined) throw new Error('an installer gives back an undo')
          hop.undo()
        },
      })
    } finally {
      await hop.close()
    }
  } finally {
    await far.close()
  }
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${String(ANSWER_WITHIN_MS)} ms`))
    }, ANSWER_WITHIN_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
