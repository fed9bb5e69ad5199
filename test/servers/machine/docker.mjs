import { capture } from './capture.mjs'

const ANSWER_MS = 5000

/** Whether an engine answers, not only its command. */
export const dockerAnswers = async () =>
  (await capture('docker', ['version'], { timeout: ANSWER_MS })).code === 0
