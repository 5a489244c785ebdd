// Whether the tests of a capability speak of something that all capabilities together have to show.
import fs from 'node:fs';
import path from 'node:path';

const tests = path.resolve(import.meta.dirname, '..');

/** `text` stands in a test file below `tests/<capability>/`. */
export function isTested(capability: string, text: string): boolean {
  const folder = path.join(tests, capability);
  if (!fs.existsSync(folder)) return false;
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.some(
    (file) => file.endsWith('.test.ts') && fs.readFileSync(path.join(folder, file), 'utf8').includes(text),
  );
}
