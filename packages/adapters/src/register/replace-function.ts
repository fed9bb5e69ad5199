/**
 * Puts another function in the place of one, as visible as that one was.
 * @returns an undo. It restores the very same function, and one that was inherited is inherited again; where somebody has replaced
 * ours meanwhile, theirs stays.
 */
export function replaceFunction(holder: object, name: string, by: (...args: never[]) => unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, name)
  Object.defineProperty(holder, name, {
    value: by,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? false,
  })
  return () => {
    if (Object.getOwnPropertyDescriptor(holder, name)?.value !== by) return
    if (before === undefined) Reflect.deleteProperty(holder, name)
    else Object.defineProperty(holder, name, before)
  }
}
