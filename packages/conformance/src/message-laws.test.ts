import { describe } from 'vitest'
import { consumingDoubles } from './broken/consuming-doubles.js'
import { judgedByDoubles } from './broken/judged-by-doubles.js'
import { producingDoubles } from './broken/producing-doubles.js'
import { SoundConsumer } from './broken/sound-consumer.js'
import { SoundProducer } from './broken/sound-producer.js'
import { consumingLaws, producingLaws } from './laws-of-messages.js'
import { judgeMessages } from './message-laws.js'

const name = 'the base of the doubles obeys every law'
judgeMessages({ name, direction: 'producing', producing: new SoundProducer() })
judgeMessages({ name, direction: 'consuming', consuming: new SoundConsumer() })

describe('a law is judged by the double that breaks it', () => {
  judgedByDoubles('producing', producingLaws, producingDoubles)
  judgedByDoubles('consuming', consumingLaws, consumingDoubles)
})
