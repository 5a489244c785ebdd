// The versions on the last page of a document for staff.
import type { Content } from 'pdfmake/interfaces.js';
import { arabic, latin } from './text.ts';

/** The most characters of a line of versions on an A4 page. */
const versionLetters = 84;

/** Returns the label and the versions below it, not split across pages; codes are in left-to-right lines of their own. */
export const versionLines = (label: string, versions: readonly string[], fontSize: number): Content => ({
  unbreakable: true,
  stack:
    versions.length === 0
      ? []
      : [
          arabic(`${label}:`, { fontSize, margin: [0, 8, 0, 0] }),
          ...linesOf(versions).map((words) => latin(words, { fontSize, alignment: 'right' })),
        ],
});

function linesOf(versions: readonly string[]): string[] {
  const found: string[] = [];
  for (const version of versions) {
    const last = found.at(-1);
    if (last !== undefined && last.length + version.length < versionLetters)
      found[found.length - 1] = `${last} ${version}`;
    else found.push(version);
  }
  return found;
}
