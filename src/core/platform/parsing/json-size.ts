// Estimates the size of a JSON value from the bytes of its text: a text of 20 MiB may contain seven million objects, which take
// hundreds of MiB before they are validated.

export interface JsonBounds {
  /** Texts, numbers, literals, lists and maps together. */
  readonly values: number;
  /** Members of one list or map. */
  readonly members: number;
  readonly depth: number;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the first bound that a JSON text exceeds. The result is meaningless for bytes that are not JSON. Takes linear time.
 */
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

/** Returns the position of the closing quote of the string at `start`, or the end of the bytes. */
function textEnd(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}
