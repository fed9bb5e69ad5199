import { suite as besideOpenTelemetry } from './suites/beside-opentelemetry.mjs'
import { suite as chain } from './suites/chain.mjs'
import { suite as changes } from './suites/changes.mjs'
import { suite as expressInProcess } from './suites/express-in-process.mjs'
import { suite as expressSockets } from './suites/express-sockets.mjs'
import { suite as kafka } from './suites/kafka.mjs'
import { suite as listener } from './suites/listener.mjs'
import { suite as memory } from './suites/memory.mjs'
import { suite as register } from './suites/register.mjs'
import { suite as requestPath } from './suites/request-path.mjs'
import { suite as selection } from './suites/selection.mjs'
import { suite as workers } from './suites/workers.mjs'

/**
 * All suites, in the order of the page.
 * @type {readonly import('./paired-run.mjs').Suite[]}
 */
export const suites = [
  expressSockets,
  expressInProcess,
  listener,
  chain,
  besideOpenTelemetry,
  register,
  requestPath,
  kafka,
  workers,
  selection,
  changes,
  memory,
]
