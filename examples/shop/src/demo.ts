/** `npm run demo`: the shop on real processes, each request's way as a tree. Ends with 1 if any went wrong. */
import { paint } from './demo/paint.js'
import { tellStory } from './demo/story.js'
import { tell } from './demo/tell.js'

console.log(paint('dim', 'Starting twelve processes on this machine …'))
const right = await tell(tellStory())
if (right) {
  console.log(`
What next?
  The same tag over Kafka      npm run demo:kafka
  Beside OpenTelemetry         npm run demo:otel
  Debug one module yourself    README.md, "Debug one module on your machine"
  Add it to your own service   README.md, "Add it to your service"
  Why a call went where it did docs/routing.md`)
}
process.exitCode = right ? 0 : 1
