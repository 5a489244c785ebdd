// Strict checks of every document on disk.
import { type Finding, isError } from '../../src/rulesets/engine/document/findings.ts';
import { checkRuleText } from '../../src/rulesets/engine/reading/parse.ts';
import { loadNewestBundle, readRuleFiles } from '../../src/rulesets/files.ts';
import { rulesDir } from './documents.ts';
import type { Output } from './terminal.ts';

export interface Linted {
  readonly id: string;
  readonly findings: readonly Finding[];
}

export async function lint(_args: readonly string[], out: Output): Promise<boolean> {
  const linted = await lintAll(out);
  out.json(linted);
  return isClean(linted);
}

/** Throws BundleError when every document is right by itself but the newest versions do not fit together. */
export async function lintAll(out: Output): Promise<readonly Linted[]> {
  const files = await readRuleFiles(rulesDir);
  const linted = files.map(({ id, text }) => ({ id, findings: checkRuleText(text) }));
  for (const { id, findings } of linted) out.report(id, findings);
  if (isClean(linted)) await loadNewestBundle(rulesDir);
  return linted;
}

export const isClean = (results: readonly Linted[]): boolean => !results.some(({ findings }) => findings.some(isError));
