import type { ErrorRequestHandler } from 'express'
import { isWaybillError } from '@waybill/core'

/** Answers with an error's code and reason. Its message names addresses and owners, so that goes to the log alone. */
export const answerError: ErrorRequestHandler = (error: Error, _req, res, next) => {
  console.error(error.message)
  if (res.headersSent) next(error)
  else if (isWaybillError(error)) {
    const { reason } = error.facts
    res.status(error.status ?? 500).json({ code: error.code, reason: reason ?? 'refused' })
  } else res.status(502).json({ code: (error as { code?: string }).code, reason: 'the call failed' })
}
