// `rules lint`: strict checks of every document on disk.
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { unsafeTexts } from '#rules/language/index.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import type { RuleBundle } from '#rules/rulesets/engine/bundle.ts';
import { errorFinding, type Finding, isError } from '#rules/rulesets/engine/document/findings.ts';
import { checkRuleText } from '#rules/rulesets/engine/reading/parse.ts';
import { loadNewestBundle, readRuleFiles } from '#rules/rulesets/files.ts';
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

/** Throws BundleError if every document is valid but the newest versions do not fit together. */
export async function lintAll(out: Output): Promise<readonly Linted[]> {
  const files = await readRuleFiles(rulesDir);
  const linted = files.map(({ id, text }) => ({ id, findings: checkRuleText(text, documentValidators(capabilities)) }));
  for (const { id, findings } of linted) out.report(id, findings);
  return isClean(linted) ? [...linted, checkTexts(await loadNewestBundle(rulesDir), out)] : linted;
}

/** Checks every text that the newest versions would serve with the filter of each tier that reads it. */
function checkTexts(bundle: RuleBundle, out: Output): Linted {
  const findings = unsafeTexts(bundle, ruleUse(capabilities).texts({})).map(({ id, tier, ruleIds }) =>
    errorFinding('LANGUAGE_UNSAFE', 'text', { text: id, tier }, ...ruleIds),
  );
  out.report('texts', findings);
  return { id: 'texts', findings };
}

export const isClean = (results: readonly Linted[]): boolean => !results.some(({ findings }) => findings.some(isError));
