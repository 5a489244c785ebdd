// `rules lint`: strict checks of every document on disk.
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { unsafeTexts } from '#rules/language/index.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import type { RuleBundle } from '#rules/rulesets/engine/bundle.ts';
import { documentId } from '#rules/rulesets/engine/document/document.ts';
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
  if (!isClean(linted)) return linted;
  const bundle = await loadNewestBundle(rulesDir);
  return [...linted, ...checkTogether(bundle, out), checkTexts(bundle, out)];
}

/** Checks the newest version of each document beside the others. */
function checkTogether(bundle: RuleBundle, out: Output): readonly Linted[] {
  const { documentChecks } = ruleUse(capabilities);
  return bundle.documents.flatMap((document) => {
    const findings = documentChecks.flatMap((check) => check(document, bundle));
    if (findings.length === 0) return [];
    out.report(documentId(document), findings);
    return [{ id: documentId(document), findings }];
  });
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
