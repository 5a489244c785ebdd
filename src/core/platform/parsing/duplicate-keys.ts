// JSON.parse silently keeps the last of two equal keys; a reviewer may have read the first.

interface Frame {
  readonly isMap: boolean;
  /** Most maps of hostile texts have no key or one: a set for each would take more memory than all else. */
  keys: Set<string> | string | undefined;
  expectsKey: boolean;
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openMap, closeMap] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the keys that occur twice in one object of a valid JSON text, in order of the second occurrence. Takes linear time.
 */
export function duplicateKeys(text: string): readonly string[] {
  const found: string[] = [];
  const open: Frame[] = [];
  let frame: Frame | undefined;
  for (let at = 0; at < text.length; at++) {
    const symbol = text.charCodeAt(at);
    if (symbol === quote) {
      const end = textEnd(text, at);
      if (frame?.isMap && frame.expectsKey) {
        const key = keyOf(text, at, end);
        if (!add(frame, key)) found.push(key);
        frame.expectsKey = false;
      }
      at = end;
    } else if (symbol === comma) {
      if (frame) frame.expectsKey = frame.isMap;
    } else if (symbol === openMap || symbol === openList) {
      if (frame) open.push(frame);
      frame = { isMap: symbol === openMap, keys: undefined, expectsKey: symbol === openMap };
    } else if (symbol === closeMap || symbol === closeList) frame = open.pop();
  }
  return found;
}

/** Returns false if the map already has the key. */
function add(frame: Frame, key: string): boolean {
  const { keys } = frame;
  if (keys === undefined) frame.keys = key;
  else if (typeof keys === 'string') {
    if (keys === key) return false;
    frame.keys = new Set([keys, key]);
  } else {
    if (keys.has(key)) return false;
    keys.add(key);
  }
  return true;
}

function keyOf(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end);
  return written.includes('\\') ? JSON.parse(`"${written}"`) : written;
}

/**
 * Returns the position of the closing quote of the string at `start`. A pattern that allows for escapes would store each
 * character, and throw RangeError for 64 MiB.
 */
function textEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}
