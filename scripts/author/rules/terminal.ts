// The output of commands: lines and tables, with colours on a terminal only, or one JSON value.
import { type Finding, findingLine, isError } from '#rules/rulesets/engine/document/findings.ts';

export interface Output {
  readonly isJson: boolean;
  line(text: string): void;
  /** Columns padded to their widest cell; the first row is the head. */
  table(rows: readonly (readonly string[])[]): void;
  /** Prints whether a subject passed, then each of its findings. */
  report(subject: string, findings: readonly Finding[]): void;
  /** Printed with --json only, which suppresses lines and tables. */
  json(value: unknown): void;
}

const red = 31;
const green = 32;
const yellow = 33;

export function terminal({ isJson, isTty }: { readonly isJson: boolean; readonly isTty: boolean }): Output {
  const paint = (text: string, colour: number): string => (isTty ? `\u001b[${colour}m${text}\u001b[0m` : text);
  const line = (text: string): void => {
    if (!isJson) console.log(text);
  };
  return {
    isJson,
    line,
    table: (rows) => {
      const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
      for (const row of rows)
        line(
          row
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
        );
    },
    report: (subject, findings) => {
      line(`${findings.some(isError) ? paint('FAILED', red) : paint('ok    ', green)} ${subject}`);
      for (const finding of findings) line(`  ${paint(findingLine(finding), isError(finding) ? red : yellow)}`);
    },
    json: (value) => {
      if (isJson) console.log(JSON.stringify(value, null, 2));
    },
  };
}

/** Returns 0.1234 as `12.3 %`; a small share is never printed as 0. */
export const percent = (share: number): string =>
  share > 0 && share < 0.0005 ? '< 0.1 %' : `${(100 * share).toFixed(1)} %`;
