import { printableText } from './printable-text.js'

/** Every code that the kit's packages throw or answer with. A heading of `docs/errors.md` explains each. */
export type ErrorCode =
  | 'ERR_WAYBILL_ANNOUNCE'
  | 'ERR_WAYBILL_CONFIGURATION'
  | 'ERR_WAYBILL_FOREIGN_PROPAGATOR'
  | 'ERR_WAYBILL_ID_TAKEN'
  | 'ERR_WAYBILL_INVALID_VALUE'
  | 'ERR_WAYBILL_KEY_CONFLICT'
  | 'ERR_WAYBILL_LOOP'
  | 'ERR_WAYBILL_MISDIRECTED'
  | 'ERR_WAYBILL_NO_PROVIDER'
  | 'ERR_WAYBILL_NO_SCOPE'
  | 'ERR_WAYBILL_PARENT_THREAD'
  | 'ERR_WAYBILL_REGISTRY'
  | 'ERR_WAYBILL_REGISTRY_FILE'
  | 'ERR_WAYBILL_REGISTRY_UNSAFE'
  | 'ERR_WAYBILL_SHARED_GROUP'
  | 'ERR_WAYBILL_TAG_OWNED'
  | 'ERR_WAYBILL_TWO_COPIES'
  | 'ERR_WAYBILL_UNREACHABLE'

/** What led to an error, by name. Never holds a shard key in clear. */
export type ErrorFacts = Readonly<Record<string, unknown>>

interface ErrorEntry {
  /** One sentence; the facts follow it in the message. */
  readonly summary: string
  /** What the reader can do about it. */
  readonly remedy: string
  /** HTTP status that fits when the error is turned into an answer. */
  readonly status?: number
}

const TABLE: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ERR_WAYBILL_ANNOUNCE: {
    summary: 'This process may not announce itself',
    remedy:
      'Set WAYBILL_CLK on a developer machine, or WAYBILL_BASELINE=1 in the manifests of the shared environment; never both.',
  },
  ERR_WAYBILL_CONFIGURATION: {
    summary: 'This configuration cannot be used',
    remedy: 'Correct the option, or the environment variable that stands for it.',
  },
  ERR_WAYBILL_FOREIGN_PROPAGATOR: {
    summary: 'A propagator of this process carries on what its listeners must not believe',
    remedy:
      'Put the propagator of otelWaybill() in the place of W3CBaggagePropagator: docs/opentelemetry.md#the-propagator.',
  },
  ERR_WAYBILL_ID_TAKEN: {
    summary: 'Another living process has registered this instance id',
    remedy: 'Stop that process, or leave the id out so that one is made.',
  },
  ERR_WAYBILL_INVALID_VALUE: {
    summary: 'The value could not be read back at the next hop',
    remedy: 'Hand in a value of the documented form.',
  },
  ERR_WAYBILL_KEY_CONFLICT: {
    summary: 'This request is bound to another shard key already',
    remedy: 'Resolve each step by the same key, or act for the other user with actFor(key, { reason }, fn).',
    status: 409,
  },
  ERR_WAYBILL_LOOP: {
    summary: 'The chain of calls is too deep; it most likely goes round in a circle',
    remedy: 'Look at the services named by waybill-route or the settled events and break the circle.',
    status: 508,
  },
  ERR_WAYBILL_MISDIRECTED: {
    summary: 'This process serves other tags only',
    remedy:
      'Look at the tag that was sent; if a service called, its registry was out of date, and with route() it goes on by itself.',
    status: 421,
  },
  ERR_WAYBILL_NO_PROVIDER: {
    summary: 'No instance may serve this call',
    remedy: 'Start the service, list a baseline address for it under services, or relax its policy.',
    status: 503,
  },
  ERR_WAYBILL_NO_SCOPE: {
    summary: 'There is no waybill here: this code runs outside of any request, message or job',
    remedy:
      'Mount the inbound adapter before the handler, or use tryCurrentWaybill(), kit.detached(fn) or bindWaybill(fn).',
  },
  ERR_WAYBILL_PARENT_THREAD: {
    summary: 'The thread that made this worker thread does not answer',
    remedy:
      'Give the kit there the same interceptor before it starts the worker, or hand the one here what it needs: route({ registry }).',
    status: 503,
  },
  ERR_WAYBILL_REGISTRY: {
    summary: 'The registry cannot do what was asked',
    remedy: 'Check WAYBILL_REGISTRY and the registry handed to route() and announce().',
  },
  ERR_WAYBILL_REGISTRY_FILE: {
    summary: 'The registry file cannot be used',
    remedy:
      'Correct the line named here; the file is read again when it changes, and until then the last good snapshot stays in use.',
  },
  ERR_WAYBILL_REGISTRY_UNSAFE: {
    summary: 'The lease folder could be written by others',
    remedy:
      'Make it a folder of your own with mode 0700 (chmod 700), or name another in WAYBILL_REGISTRY=directory:/path.',
  },
  ERR_WAYBILL_SHARED_GROUP: {
    summary: 'This process may not use the consumer group of the shared environment',
    remedy:
      "On a developer machine set WAYBILL_CLK and say consumer({ groupId, group: 'own' }); in the manifests of the shared environment, and nowhere else, set WAYBILL_BASELINE=1.",
  },
  ERR_WAYBILL_TAG_OWNED: {
    summary: 'The tag belongs to another living owner',
    remedy: 'Choose another WAYBILL_CLK, or ask the holder to stop.',
  },
  ERR_WAYBILL_TWO_COPIES: {
    summary: 'Two copies of @waybill/core with different protocols are loaded in this process',
    remedy: 'Deduplicate @waybill/core (npm ls @waybill/core) so that all copies speak one protocol.',
  },
  ERR_WAYBILL_UNREACHABLE: {
    summary: 'No connection could be made to the address that was chosen',
    remedy: 'See whether the process still listens and whether this host can reach it.',
    status: 503,
  },
}

/** All codes, sorted. */
export const errorCodes: readonly ErrorCode[] = Object.keys(TABLE) as ErrorCode[]

const BRAND: unique symbol = Symbol.for('@waybill/error') as never

/**
 * The one error class of the kit. `message` holds the facts and the remedy, so that a log line is enough to act on.
 * Tell it apart with {@link isWaybillError}, which also knows errors of another copy of the package.
 */
export class WaybillError extends Error {
  readonly [BRAND] = true
  override readonly name = 'WaybillError'
  readonly code: ErrorCode
  readonly facts: ErrorFacts
  readonly remedy: string
  /** HTTP status that fits, where one does. */
  readonly status: number | undefined

  /** @param options.cause kept as the standard `cause`. @param options.remedy replaces the one of the table where the place knows better. */
  constructor(
    code: ErrorCode,
    facts: ErrorFacts = {},
    options: { readonly cause?: unknown; readonly remedy?: string } = {},
  ) {
    const entry = TABLE[code]
    const remedy = options.remedy ?? entry.remedy
    super(
      `${entry.summary}${describe(facts)}. ${remedy} [${code}]`,
      'cause' in options ? { cause: options.cause } : undefined,
    )
    this.code = code
    this.facts = facts
    this.remedy = remedy
    this.status = entry.status
  }
}

/** True for errors of the kit, of whatever copy or format. */
export function isWaybillError(error: unknown): error is WaybillError {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[BRAND] === true
}

function describe(facts: ErrorFacts): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(facts)) {
    if (value !== undefined) parts.push(`${name}: ${describeValue(value)}`)
  }
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

/** Printable ASCII: a message ends in logs and terminals, and some facts came from outside. */
function describeValue(value: unknown): string {
  if (typeof value === 'string' && printableText(value, Infinity) !== undefined) return value
  try {
    return (JSON.stringify(value) ?? String(value)).replace(/[^\x20-\x7e]/g, escapeCharacter)
  } catch {
    // Circular, or a BigInt inside.
    return Object.prototype.toString.call(value)
  }
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
