// Versions of the document of checks that a test puts in force.
import fs from 'node:fs';
import type { RuleDocument } from '#rules/rulesets/index.ts';

interface CheckRow {
  readonly qaCheckId: string;
}
const document = JSON.parse(fs.readFileSync(new URL('../../../rules/qa/checks/3.json', import.meta.url), 'utf8')) as {
  readonly meta: { readonly version: number };
  readonly checks: readonly CheckRow[];
};

/** The shipped document with other values for some checks. */
export const changedChecks = (changes: Readonly<Record<string, object>>, version = 4): RuleDocument =>
  ({
    meta: { ...document.meta, version },
    checks: document.checks.map((check) => ({ ...check, ...changes[check.qaCheckId] })),
  }) as unknown as RuleDocument;

export const shippedChecks = document.checks;
