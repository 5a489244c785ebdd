// The tables that the benchmarks print, and that `--write` puts into the documentation.
import fs from 'node:fs';

export interface Row {
  readonly contender: string;
  readonly result: string;
  /** The ratio to this repository's own contender, or empty. */
  readonly ratio?: string;
  readonly aim?: string;
}

export interface Section {
  readonly title: string;
  /** What was asserted before timing, and the size of the input. */
  readonly note: string;
  readonly rows: readonly Row[];
}

/** Formats three significant digits in a suitable unit. */
export function duration(nanoseconds: number): string {
  if (nanoseconds < 1_000) return `${nanoseconds.toPrecision(3)} ns`;
  if (nanoseconds < 1_000_000) return `${(nanoseconds / 1_000).toPrecision(3)} µs`;
  if (nanoseconds < 1_000_000_000) return `${(nanoseconds / 1_000_000).toPrecision(3)} ms`;
  return `${(nanoseconds / 1_000_000_000).toPrecision(3)} s`;
}

export const times = (theirs: number, ours: number): string => {
  const ratio = theirs / ours;
  return `${ratio >= 100 ? Math.round(ratio).toLocaleString('en') : ratio.toPrecision(3)} ×`;
};

export function sectionText({ title, note, rows }: Section): string {
  const lines = rows.map(
    ({ contender, result, ratio = '', aim = '' }) => `| ${contender} | ${result} | ${ratio} | ${aim} |`,
  );
  return [`### ${title}`, '', note, '', '| | result | against ours | aim |', '|---|---|---|---|', ...lines, ''].join(
    '\n',
  );
}

const documentation = 'docs/performance.md';

/** Replaces the text between the markers of one benchmark. Throws Error if the document has no such markers. */
export function writeSection(name: string, text: string): void {
  const { before, after } = aroundSection(name);
  fs.writeFileSync(documentation, `${before}\n${text}\n${after}`);
}

/** Returns the text before and after the section of a benchmark, with its markers. */
export function aroundSection(name: string): { readonly before: string; readonly after: string } {
  const [open, close] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const whole = fs.readFileSync(documentation, 'utf8');
  const from = whole.indexOf(open);
  const to = whole.indexOf(close);
  if (from < 0 || to < from) throw new Error(`${documentation} has no markers ${open} … ${close}`);
  return { before: whole.slice(0, from + open.length), after: whole.slice(to) };
}
