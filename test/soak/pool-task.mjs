/** The module of the pool's worker. */
import { settledHeap } from './settled-heap.mjs'

/** @param {{ key: string | undefined }} task */
export const keyOf = ({ key }) => key

export { settledHeap as heap }
