/**
 * Reads a body to its end, whatever stream it is.
 * @param read told each piece, in the loop where it is read.
 */
export async function textOf(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  read?: (piece: string) => void,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body) {
    const piece = decoder.decode(bytes, { stream: true })
    read?.(piece)
    text += piece
  }
  return text + decoder.decode()
}
