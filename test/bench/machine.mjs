import { spawnSync } from 'node:child_process'
import { cpus, release, setPriority, type } from 'node:os'

/** Subjects have one core, whoever drives them the other. */
export const SUBJECT_CORE = 0
export const DRIVER_CORE = 1

const canPin = [SUBJECT_CORE, DRIVER_CORE].every(
  (core) => spawnSync('taskset', ['-c', String(core), 'true']).status === 0,
)

/**
 * A command line that runs on one core, where the system has `taskset`.
 * @param {number} core
 * @param {readonly string[]} command
 * @returns {[string, ...string[]]}
 */
export const pinned = (core, command) => {
  const [program = '', ...args] = command
  return canPin ? ['taskset', '-c', String(core), program, ...args] : [program, ...args]
}

/**
 * Lets other work on the machine wait, where that is permitted.
 * @param {number | undefined} pid
 */
export const raisePriority = (pid) => {
  try {
    if (pid !== undefined) setPriority(pid, -10)
  } catch {
    // Not permitted: the rounds are longer apart, and the A/A control tells.
  }
}

/** What the figures depend on beside the code: CPU, cores, kernel. */
export const machineFacts = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  kernel: `${type()} ${release()}`,
  pinned: canPin,
})
