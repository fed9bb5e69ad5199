import { AssertionError } from 'node:assert/strict'
import type { Answer, No } from './answer.js'

/**
 * Holds a record to its word.
 * @param attempt tries the law.
 * @throws what the law says where the record claims to obey it; an error where a `no` has become false, or where the
 * law was not judged because something else went wrong.
 */
export async function verify(law: string, answer: Answer, attempt: () => Promise<void>): Promise<void> {
  if (answer === true) return attempt()
  if (answer.no.trim() === '') throw new Error(`${law}: a no has a reason`)
  try {
    await attempt()
  } catch (error) {
    if (isMeant(error, answer)) return
    throw new Error(`${law} fails, but not since ${answer.no}: ${String(error)}`, { cause: error })
  }
  throw new Error(`${law} holds, though the record says that ${answer.no}`)
}

/** A typing mistake in a record fails every law, and proves nothing of what the host can do. */
function isMeant(error: unknown, { code }: No): boolean {
  return error instanceof AssertionError || (code !== undefined && codesOf(error).includes(code))
}

/** A client may wrap what its transport threw. */
function codesOf(error: unknown): unknown[] {
  return error instanceof Error ? [(error as { code?: unknown }).code, ...codesOf(error.cause)] : []
}
