// How much a JSON text would be as a value, told from its bytes alone: a text of 20 MiB may hold seven million objects, which
// take hundreds of MiB before anything has been looked at.

export interface JsonBounds {
  /** Texts, numbers, words, lists and maps together. */
  readonly values: number;
  /** Of one list or map. */
  readonly members: number;
  readonly depth: number;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The first bound that a JSON text exceeds. What is said of bytes that are no JSON means nothing. Linear. */
export function exceededBound(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  const members = [0];
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = textEnd(bytes, at);
    else if (byte === closeList || byte === closeMap) members.pop();
    else if (byte === comma || byte === openList || byte === openMap) {
      values += 1;
      if (values > bounds.values) return 'values';
      if (byte !== comma) members.push(1);
      else {
        const inner = members.length - 1;
        members[inner] = (members[inner] ?? 1) + 1;
        if ((members[inner] as number) > bounds.members) return 'members';
      }
      if (members.length - 1 > bounds.depth) return 'depth';
    }
  }
  return undefined;
}

/** Where the quote is that ends what the one at `start` begins, or the end of the bytes. */
function textEnd(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}
