import type { Scope } from './hop-scope.js'

/**
 * A body whose pieces are made in the scope of the hop. undici asks for them in the scope of whoever opened the
 * connection, or freed it, and a generator is the application's code.
 */
export function scopedBody(body: AsyncIterable<unknown>, run: Scope): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]() {
      const source = run(() => body[Symbol.asyncIterator]())
      const end = source.return?.bind(source)
      return {
        next: () => run(() => source.next()),
        ...(end === undefined ? {} : { return: (value?: unknown) => run(() => end(value)) }),
      }
    },
  }
}
