import { describe } from 'vitest'
import { judgedByDoubles } from './broken/judged-by-doubles.js'
import { SoundPool } from './broken/sound-pool.js'
import { taskDoubles } from './broken/task-doubles.js'
import { lawsOfTasks } from './laws-of-tasks.js'
import { judgeTasks } from './task-laws.js'

judgeTasks({ name: 'the base of the doubles obeys every law', tasks: new SoundPool() })

describe('a law is judged by the double that breaks it', () => {
  judgedByDoubles('task', lawsOfTasks, taskDoubles)
})
