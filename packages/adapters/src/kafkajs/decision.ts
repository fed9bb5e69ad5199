import type { ReceivedMessage } from './received-message.js'

/** What becomes of a message before any handler sees it. */
export type Decision = 'handle' | 'skip'

/** Decides about each message that a consumer receives. */
export type Decide = (received: ReceivedMessage) => Decision

/**
 * Whether a handler gets the message; if not it counts as done. Asked for single messages and for batches alike.
 * @throws TypeError for a decision that is none: the message is then neither handled nor done.
 */
export function isHandled(decision: Decision): boolean {
  switch (decision) {
    case 'handle':
      return true
    case 'skip':
      return false
    default:
      throw new TypeError(`no decision about a message: ${String(decision satisfies never)}`)
  }
}
