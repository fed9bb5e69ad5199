import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Kit, KitOptions } from '@waybill/core'
import type { Inbound } from '@waybill/core/adapter'
import type { InboundHalf, InboundOpening } from '../adapter-record.js'
import { Loans } from '../loans.js'
import { send, type Answered, type Sending } from '../wire/near-client.js'
import { lawKit } from './law-kit.js'

/** What a law for arrivals sets up. */
export interface InboundSetting {
  readonly kit?: KitOptions
  /** True: the bare host, without the adapter. */
  readonly bare?: boolean
  readonly times?: 1 | 2
  readonly inbound?: Inbound
  /** The application's handler; it may need the kit. */
  readonly handler: (request: IncomingMessage, response: ServerResponse, kit: Kit) => unknown
  /** Default: status 500, text `failed`. */
  readonly onError?: InboundOpening['onError']
}

/** A listener behind the adapter. */
export interface InboundStage {
  readonly kit: Kit
  readonly port: number
  readonly loans: Loans
  readonly send: (sending?: Sending) => Promise<Answered>
  readonly undo: () => void
}

/** Opens a stage, lets a law act on it, and closes it in any case. */
export async function withInbound(
  half: InboundHalf,
  setting: InboundSetting,
  act: (stage: InboundStage) => Promise<void>,
): Promise<void> {
  const kit = lawKit(setting.kit)
  const loans = new Loans()
  const hop = await half.open({
    kit: setting.bare === true ? undefined : kit,
    times: setting.times ?? 1,
    lend: loans.lend,
    inbound: setting.inbound,
    handler: (request, response) => setting.handler(request, response, kit),
    onError:
      setting.onError ??
      ((_error, _request, response) => {
        response.statusCode = 500
        response.end('failed')
      }),
  })
  try {
    await act({
      kit,
      port: hop.port,
      loans,
      send: (sending) => send(hop.port, sending),
      undo() {
        if (hop.undo === undefined) throw new Error('an installer gives back an undo')
        hop.undo()
      },
    })
  } finally {
    await hop.close()
  }
}
