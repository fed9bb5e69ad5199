/** `npm run demo:otel`: the shop under OpenTelemetry, each trace beside the waybill's way. Ends with 1 if any went wrong. */
import { tellOtelStory } from './demo/otel-story.js'
import { paint } from './demo/paint.js'
import { tell } from './demo/tell.js'

console.log(paint('dim', 'Starting eight processes on this machine, with the OpenTelemetry SDK on …'))
process.exitCode = (await tell(tellOtelStory())) ? 0 : 1
