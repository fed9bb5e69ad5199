/** The percent-escapes of one character in UTF-8, as RFC 3629, section 4, has it. */
const WELL_FORMED = new RegExp(
  [
    '%[0-7][0-9a-f]',
    '%(?:c[2-9a-f]|d[0-9a-f])%[89ab][0-9a-f]',
    '%e0%[ab][0-9a-f]%[89ab][0-9a-f]',
    '%e[1-9abcef](?:%[89ab][0-9a-f]){2}',
    '%ed%[89][0-9a-f]%[89ab][0-9a-f]',
    '%f0%[9ab][0-9a-f](?:%[89ab][0-9a-f]){2}',
    '%f[1-3](?:%[89ab][0-9a-f]){3}',
    '%f4%8[0-9a-f](?:%[89ab][0-9a-f]){2}',
  ].join('|'),
  'gi',
)

/**
 * A text with its percent-escapes decoded; undefined for a broken escape and for bytes that are not UTF-8.
 * `decodeURIComponent` throws there, which costs microseconds for each of up to 64 members of a stranger.
 */
export function decodeEscapes(text: string): string | undefined {
  if (!text.includes('%')) return text
  // One expression over the whole text would need stack for each character of it.
  return text.replace(WELL_FORMED, '').includes('%') ? undefined : decodeURIComponent(text)
}
