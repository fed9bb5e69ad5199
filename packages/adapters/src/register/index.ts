import { register } from './register.js'

/**
 * Takes the kit out of the process again: every function that was replaced is back, and nothing is adopted or carried any more.
 * Where somebody has put a function around one of them meanwhile, theirs stays and hands on.
 */
export const unregister: () => void = register()
