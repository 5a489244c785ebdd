// Bytes as text (RFC 4648, 4), in which files are sent within JSON.

/** Four characters encode three bytes, so a chunk has whole bytes. */
const pieceLetters = 64 * 1024;

/** Returns whether a text is padded base64 without other characters. */
export function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = Buffer.alloc((pieceLetters / 4) * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += pieceLetters) {
    length += bytes.write(text.slice(at, at + pieceLetters), 'base64');
  }
  return text.length % 4 === 0 && length === (text.length / 4) * 3 - padding;
}
