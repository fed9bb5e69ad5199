/** `npm run demo`: the shop on real processes, each request's way as a tree. Ends with 1 if any went wrong. */
import { paint, paintWay } from './demo/paint.js'
import { tellStory } from './demo/story.js'

const started = performance.now()
let scenes = 0
let wrong = 0
console.log(paint('dim', 'Starting twelve processes on this machine …'))
for await (const scene of tellStory()) {
  scenes++
  console.log(`\n${paint('bold', scene.title)}\n${paint('dim', `$ ${scene.action}`)}`)
  if (scene.way.length > 0) console.log(paintWay(scene.way))
  for (const line of scene.seen) console.log(`   ${line}`)
  for (const line of scene.wrong) console.log(paint('red', `   ✗ ${line}`))
  if (scene.wrong.length > 0) wrong++
}
const took = ((performance.now() - started) / 1000).toFixed(0)
const verdict = `${String(scenes - wrong)} of ${String(scenes)} scenes came out right, in ${took} s`
console.log(`\n${paint(wrong === 0 ? 'green' : 'red', verdict)}`)
if (wrong === 0) {
  console.log(`
What next?
  Debug one module yourself    README.md, "Debug one module on your machine"
  Add it to your own service   README.md, "Add it to your service"
  Why a call went where it did docs/routing.md`)
}
process.exitCode = wrong === 0 ? 0 : 1
