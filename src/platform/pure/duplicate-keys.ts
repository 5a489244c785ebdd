// JSON.parse silently keeps the last of two equal keys; a reviewer may have read the first.

interface Frame {
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
}

/** Keys that occur twice in one object of a valid JSON text, in order of the second occurrence. */
export function duplicateKeys(text: string): readonly string[] {
  const found: string[] = [];
  const open: Frame[] = [];
  const symbols = /["{}[\],]/g;
  for (let token = symbols.exec(text); token; token = symbols.exec(text)) {
    const frame = open.at(-1);
    const [symbol] = token;
    if (symbol === '{') open.push({ keys: new Set(), expectsKey: true });
    else if (symbol === '[') open.push({ keys: undefined, expectsKey: false });
    else if (symbol === '}' || symbol === ']') open.pop();
    else if (symbol === ',' && frame) frame.expectsKey = frame.keys !== undefined;
    if (symbol !== '"') continue;
    symbols.lastIndex = textEnd(text, token.index) + 1;
    if (!frame?.keys || !frame.expectsKey) continue;
    const key: string = JSON.parse(text.slice(token.index, symbols.lastIndex));
    if (frame.keys.has(key)) found.push(key);
    frame.keys.add(key);
    frame.expectsKey = false;
  }
  return found;
}

/**
 * Where the quote is that ends what the one at `start` begins. No pattern: one that allows for escapes remembers each character
 * of the text, and ends with a RangeError where that is 64 MiB.
 */
function textEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}
