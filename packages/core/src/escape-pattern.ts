/** A text as a part of a regular expression that matches just that text. */
export function escapePattern(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '\\$&')
}
