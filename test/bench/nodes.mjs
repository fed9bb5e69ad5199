import { execFileSync } from 'node:child_process'
import { otherNodes, runningMajor } from '../../tools/other-nodes.mjs'

/** @typedef {{ major: number, version: string, binary: string }} NodeBinary */

/**
 * @param {string} binary
 * @returns {NodeBinary}
 */
const nodeOf = (binary) => {
  const version = execFileSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()
  return { major: Number.parseInt(version, 10), version, binary }
}

export const runningNode = () => nodeOf(process.execPath)

/**
 * The running Node and those that npm has for this system, oldest first. Says in a line which of them are missing.
 * @param {readonly number[] | undefined} majors default all
 * @returns {Promise<NodeBinary[]>}
 * @throws where a major that is asked for is not to be had
 */
export const findNodes = async (majors) => {
  if (majors?.length === 1 && majors[0] === runningMajor) return [runningNode()]
  const { nodes, note } = await otherNodes()
  if (note !== undefined) console.log(note.replace(/^Tested/, 'Measured'))
  const found = [runningNode(), ...nodes.map(({ program }) => nodeOf(program))]
  const absent = majors?.find((major) => found.every((node) => node.major !== major))
  if (absent !== undefined) throw new Error(`there is no Node ${absent} here`)
  return found
    .filter(({ major }) => majors?.includes(major) ?? true)
    .sort((one, other) => one.major - other.major)
}
