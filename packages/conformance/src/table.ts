export { page } from './table/page.js'
export { allResults } from './table/results-folder.js'
export { testedNodes } from './table/verified.js'
export { expectWritten } from './table/written-part.js'
