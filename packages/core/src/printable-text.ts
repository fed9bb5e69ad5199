/**
 * Text from registries, replies and headers may end in a log line, a header or a terminal:
 * printable ASCII of bounded length, or nothing.
 */
export function printableText(text: unknown, maxLength = 128): string | undefined {
  return typeof text === 'string' && text.length <= maxLength && /^[\x20-\x7e]*$/.test(text)
    ? text
    : undefined
}
