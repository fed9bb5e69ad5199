import { paint, paintWay } from './paint.js'
import type { Scene } from './scene.js'

/** Prints a story scene by scene, and its verdict. True if every scene came out right. */
export async function tell(story: AsyncIterable<Scene>): Promise<boolean> {
  const started = performance.now()
  let scenes = 0
  let wrong = 0
  for await (const scene of story) {
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
  return wrong === 0
}
