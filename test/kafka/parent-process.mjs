/** A process that starts a broker, tells what is to vanish with it, and waits to be killed. */
import { startJvmBroker } from '@waybill/servers/kafka'

const { pid, subject } = await startJvmBroker()
/** @type {{ pid: number | undefined, directory: string }} */
const started = { pid, directory: subject }
process.send?.(started)
process.on('message', () => {}) // holds the channel, and with it the process
