import { describe } from 'vitest'
import { judgeAdapter } from './adapter-laws.js'
import { inboundDoubles, outboundDoubles } from './broken/doubles.js'
import { judgedByDoubles } from './broken/judged-by-doubles.js'
import { SoundClient } from './broken/sound-client.js'
import { SoundListener } from './broken/sound-listener.js'
import { inboundLaws, outboundLaws } from './laws.js'

judgeAdapter({
  name: 'the base of the doubles obeys every law',
  direction: 'both',
  inbound: new SoundListener(),
  outbound: new SoundClient(),
})

describe('a law is judged by the double that breaks it', () => {
  judgedByDoubles('inbound', inboundLaws, inboundDoubles)
  judgedByDoubles('outbound', outboundLaws, outboundDoubles)
})
