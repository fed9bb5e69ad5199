import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { printableText } from '@waybill/core/adapter'

/**
 * Who a process is. A number alone is not enough: the kernel gives it to somebody else after death, so the start
 * time stands beside it; and both mean nothing on another machine, after a reboot or in another pid namespace, so
 * these stand there too.
 */
export interface ProcessMark {
  readonly pid: number
  /** When it started, in the system's own words; empty where the system does not tell. Compared, never read. */
  readonly started: string
  /** The machine's name, for people; laptops change it with the network. */
  readonly host: string
  /** This start of the machine. */
  readonly boot: string
  /** The pid namespace; empty on systems that have none. */
  readonly namespace: string
}

/** `foreign`: a process of another machine, boot or pid namespace, which nobody here can judge. */
export type Life = 'alive' | 'dead' | 'foreign'

const linux = process.platform === 'linux'

const firstOf = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ''
  }
}

const bootId = (): string =>
  firstOf(() =>
    linux
      ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')
      : execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
          encoding: 'latin1',
          stdio: ['ignore', 'pipe', 'ignore'],
        }),
  )
const pidNamespace = (): string => (linux ? firstOf(() => readlinkSync('/proc/self/ns/pid')) : '')

let own: ProcessMark | undefined

/** The mark of this process; read once. */
export function ownMark(): ProcessMark {
  return (own ??= {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    host: hostname(),
    boot: bootId(),
    namespace: pidNamespace(),
  })
}

/**
 * The start time of a living process, '' where the system does not tell, undefined once it has ended. A zombie has
 * ended: its parent has not looked yet, and nobody answers at its address.
 */
function startOf(pid: number): string | undefined {
  if (!linux) return startByPs(pid)
  let stat: string
  try {
    stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? '' : undefined
  }
  // The second field is the program's name in brackets, and may hold spaces and brackets itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  if (state === 'Z' || state === 'X') return undefined
  return fields[19] ?? ''
}

function startByPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'latin1',
      // Calendar text is compared between processes, so all of them must write it alike.
      env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2_000,
    }).trim()
    if (text.startsWith('Z')) return undefined
    return text.slice(text.indexOf(' ') + 1).trim()
  } catch (error) {
    // `ps` ends with 1 where there is no such process; any other failure says nothing about it.
    return (error as { status?: number }).status === 1 ? undefined : ''
  }
}

/** Is there a process of that number at all? One system call, about 1 µs; a zombie still answers. */
export function seemsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Where the start time costs a process of its own (`ps`, 3 ms), it is asked for this often at most. */
const PS_EVERY_MS = 5_000
const asked = new Map<string, number>()
const ASKED_AT_MOST = 1_000

/** Tells whether the process that left this mark still lives; paused, at a breakpoint or asleep it does. */
export function lifeOf(mark: ProcessMark): Life {
  const self = ownMark()
  // Of an earlier start of this machine nobody is left; of another machine's starts nothing is known.
  if (mark.boot !== self.boot) return mark.host === self.host ? 'dead' : 'foreign'
  if (mark.namespace !== self.namespace) return 'foreign'
  if (mark.pid === self.pid) return mark.started === self.started ? 'alive' : 'dead'
  if (!seemsAlive(mark.pid)) return 'dead'
  const key = `${String(mark.pid)} ${mark.started}`
  const now = performance.now()
  if (!linux && now - (asked.get(key) ?? -PS_EVERY_MS) < PS_EVERY_MS) return 'alive'
  const started = startOf(mark.pid)
  if (started === undefined) return 'dead'
  if (started !== '' && mark.started !== '' && started !== mark.started) return 'dead'
  if (!linux) {
    if (asked.size >= ASKED_AT_MOST) asked.clear()
    asked.set(key, now)
  }
  return 'alive'
}

/** Reads a mark from a file's content; undefined where it is none. */
export function readMark(value: unknown): ProcessMark | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, started, host, boot, namespace } = value as Record<string, unknown>
  // 0 and negative numbers are process groups to kill(2).
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid < 1 || pid > 0x7fffffff) return undefined
  const [since, machine, start, space] = [started, host, boot, namespace].map((text) => printableText(text))
  if (since === undefined || machine === undefined || start === undefined || space === undefined)
    return undefined
  return { pid, started: since, host: machine, boot: start, namespace: space }
}
