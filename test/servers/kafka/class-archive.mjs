import { join } from 'node:path'
import { onFreePorts } from '../machine/on-free-ports.mjs'
import { Broker } from './broker.mjs'
import { madeOnce, shortHash } from './cache.mjs'
import { inJvm } from './jvm.mjs'

/** The JVM writes the archive while it ends, which takes seconds. */
const GRACE_MS = 60_000

/**
 * The JVM flags by which a broker starts with its classes loaded and verified before, in half the time. A broker that
 * starts and ends makes the archive, once for each JVM. None where this JVM makes no archive: then starting takes longer.
 * @param {import('./distribution.mjs').Distribution} kafka
 * @returns {Promise<readonly string[]>}
 */
export const withClassArchive = async (kafka) => {
  const path = join(kafka.folder, `classes-${shortHash(kafka.java.version)}.jsa`)
  const made = madeOnce(path, async (draft) => {
    const archiving = [`-XX:ArchiveClassesAtExit=${draft}`]
    const broker = await onFreePorts(2, async (port = 0, controllerPort = 0) =>
      new Broker(await inJvm(kafka, { port, controllerPort, properties: {} }, archiving)).start(),
    )
    // One that was killed has not written all of it.
    await broker.stop(GRACE_MS)
    if (broker.ending === 'SIGKILL') throw new Error('Kafka took too long to write its class archive')
  })
  return made.then(
    () => [`-XX:SharedArchiveFile=${path}`],
    () => [],
  )
}
