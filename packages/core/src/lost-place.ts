import { fileURLToPath, pathToFileURL } from 'node:url'
import { escapePattern } from './escape-pattern.js'

/** Where in the code of the application something was lost. */
export interface LostPlace {
  /** A frame, as Node writes it without its `at`. */
  readonly place: string
  /** That frame and those behind it, one a line. */
  readonly stack: string
}

/** A function on the stack; with what it calls it is left out of the search. */
export type CallEntry = (...args: never[]) => unknown

/** Deep enough for a call that goes through a client and its helpers; Node's own default is 10. */
const FRAMES = 50

/**
 * The first frame outside of Node and the kit: where there is one outside of `node_modules`, too, that one, since a line in
 * a client library stands for all calls of the application. Undefined where there is none.
 * @param entry the function of the kit that the application called, where it is known: in a bundle the kit's own frames cannot
 * be told by their file.
 */
export function lostPlace(entry?: CallEntry): LostPlace | undefined {
  const frames = framesBehind(entry)
  const places = frames.filter(isPlace)
  const place = places.find((frame) => !/[\\/]node_modules[\\/]/.test(frame)) ?? places[0]
  if (place === undefined) return undefined
  return { place, stack: frames.slice(frames.indexOf(place)).join('\n') }
}

function framesBehind(entry: CallEntry | undefined): string[] {
  const behind = entry === undefined ? [] : frames(entry)
  // Called by way of a promise, the entry is not on this stack, and V8 leaves all of it out.
  return behind.length > 0 ? behind : frames(lostPlace)
}

function frames(behind: CallEntry): string[] {
  const { stackTraceLimit } = Error
  const taken: { stack?: unknown } = {}
  try {
    Error.stackTraceLimit = FRAMES
    Error.captureStackTrace(taken, behind)
    // An application may have put something else there by Error.prepareStackTrace, or throw.
    const text = String(taken.stack)
    return text.split('\n').flatMap((line) => /^\s*at (.+)$/.exec(line)?.[1] ?? [])
  } catch {
    return []
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function isPlace(frame: string): boolean {
  return /:\d+:\d+/.test(frame) && !/(?:^|\()node:/.test(frame) && !kitFrame().test(frame)
}

let ownFrame: RegExp | undefined

/** Matches frames of the kit: as installed from a registry, and where its packages lie beside this one. */
function kitFrame(): RegExp {
  return (ownFrame ??= new RegExp(
    [String.raw`[\\/]node_modules[\\/]@waybill[\\/]`, ...besideThisOne()].join('|'),
  ))
}

/** Frames of ES modules are URLs, others are paths. */
function besideThisOne(): string[] {
  const folder = /^(.+[\\/])core[\\/](?:src|dist)[\\/][^\\/]+$/.exec(pathOfThisFile())?.[1]
  if (folder === undefined) return []
  const inPackage = String.raw`(?:core|adapters|routing)[\\/](?:src|dist)[\\/](?!.*\.(?:test|conformance)\.)`
  return [folder, pathToFileURL(folder).pathname].map((path) => escapePattern(path) + inPackage)
}

/** In a bundle: the application's own, or none, or where this one lay when the bundle was made, on a system of other paths perhaps. */
function pathOfThisFile(): string {
  const url = import.meta.url as string | undefined
  try {
    return url?.startsWith('file:') === true ? fileURLToPath(url) : ''
  } catch {
    return ''
  }
}
