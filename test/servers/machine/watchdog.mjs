import { spawn } from 'node:child_process'

/** Says that there is nothing to clear away any more. */
const DISMISSED = 'done'

/** The pipe from this process ends with it, however it ends. Until then each line names what is to be killed. */
const WAIT = `
while read -r line; do
  [ "$line" = ${DISMISSED} ] && exit 0
  pid=$line
done
`

/** A process that outlives this one and clears away what it started. */
export class Watchdog {
  #pipe

  /**
   * @param {string} clear shell commands. `$pid` is the process that is watched, empty if none is; `$1` the subject
   * @param {string} subject
   */
  constructor(clear, subject) {
    // Detached: what is sent to the terminal's whole group, as by Ctrl-C, is not for it.
    const child = spawn('sh', ['-c', `pid=${WAIT}${clear}`, 'waybill-watchdog', subject], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    this.#pipe = /** @type {import('node:net').Socket} */ (child.stdin)
    this.#pipe.on('error', () => {})
    this.#pipe.unref()
    child.unref()
  }

  /** @param {number | undefined} pid a process that ended is no longer to be killed: its number may be another's soon */
  watch(pid) {
    this.#pipe.write(`${pid ?? ''}\n`)
  }

  dismiss() {
    this.#pipe.end(`${DISMISSED}\n`)
  }
}
