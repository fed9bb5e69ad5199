import { join } from 'node:path'
import { onFreePorts } from '../machine/on-free-ports.mjs'
import { Broker } from './broker.mjs'
import { madeOnce, shortHash } from './cache.mjs'
import { inJvm } from './jvm.mjs'

/** The JVM writes the archive while it ends, which takes seconds. */
const GRACE_MS = 60_000

/**
 * The JVM flag by which a broker starts with its classes loaded and verified before, in half the time. A broker that
 * starts and ends makes the archive, once for each JVM.
 * @param {import('./distribution.mjs').Distribution} kafka
 */
export const withClassArchive = async (kafka) => {
  const path = join(kafka.folder, `classes-${shortHash(kafka.java.version)}.jsa`)
  await madeOnce(path, async (draft) => {
    const archiving = [`-XX:ArchiveClassesAtExit=${draft}`]
    const broker = await onFreePorts(2, async (port = 0, controllerPort = 0) =>
      new Broker(await inJvm(kafka, { port, controllerPort, properties: {} }, archiving)).start(),
    )
    await broker.stop(GRACE_MS)
  })
  return `-XX:SharedArchiveFile=${path}`
}
