// JSON.parse silently keeps the last of two equal keys; a reviewer may have read the first.

interface Frame {
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
}

/** Keys that occur twice in one object of a valid JSON text, in order of the second occurrence. */
export function duplicateKeys(text: string): readonly string[] {
  const found: string[] = [];
  const open: Frame[] = [];
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    const frame = open.at(-1);
    const [symbol] = token;
    if (symbol === '{') open.push({ keys: new Set(), expectsKey: true });
    else if (symbol === '[') open.push({ keys: undefined, expectsKey: false });
    else if (symbol === '}' || symbol === ']') open.pop();
    else if (symbol === ',' && frame) frame.expectsKey = frame.keys !== undefined;
    else if (symbol.startsWith('"') && frame?.keys && frame.expectsKey) {
      const key: string = JSON.parse(symbol);
      if (frame.keys.has(key)) found.push(key);
      frame.keys.add(key);
      frame.expectsKey = false;
    }
  }
  return found;
}
