import { describe } from 'vitest'
import { judgedByDoubles } from './broken/judged-by-doubles.js'
import { SoundTimer } from './broken/sound-timer.js'
import { timerDoubles } from './broken/timer-doubles.js'
import { lawsOfTimers } from './laws-of-timers.js'
import { judgeTimer } from './timer-laws.js'

judgeTimer({ name: 'the base of the doubles obeys every law', timer: new SoundTimer() })

describe('a law is judged by the double that breaks it', () => {
  judgedByDoubles('timer', lawsOfTimers, timerDoubles)
})
