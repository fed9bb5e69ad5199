/**
 * Takes spaces and tabs off both ends: the optional white space of HTTP (RFC 9110, 5.6.3). `String.trim` takes line
 * ends and every Unicode space too, so `alice%0D%0A` would pass as `alice`, and a foreign value would lose a byte.
 */
export function trimSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}
