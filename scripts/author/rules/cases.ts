// `rules test` and `rules boundary-cases`: runs golden cases, and writes the boundary cases of tables.
import fs from 'node:fs/promises';
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';
import { boundaryCases } from '#rules/rulesets/engine/boundaries/boundary-cases.ts';
import { compileTable } from '#rules/rulesets/engine/compile.ts';
import { isTable } from '#rules/rulesets/engine/document/document.ts';
import { errorFinding } from '#rules/rulesets/engine/document/findings.ts';
import { goldenFileText, goldenFindings } from '#rules/rulesets/engine/golden.ts';
import { type LoadedRule, loadRule, loadRules, type RuleFile, readLock, readRuleFiles } from '#rules/rulesets/files.ts';
import { rulesDir } from './documents.ts';
import { isClean, type Linted } from './lint.ts';
import type { Output } from './terminal.ts';

export interface CaseResult extends Linted {
  readonly cases: number;
}

export async function test(_args: readonly string[], out: Output): Promise<boolean> {
  const results = await runAll(out);
  out.json(results);
  return isClean(results);
}

export async function runAll(out: Output): Promise<readonly CaseResult[]> {
  const rules = await loadRules(rulesDir, documentValidators(capabilities));
  const results = rules.filter((rule) => !isOfEarlierRelease(rule, rules)).flatMap(caseResult);
  for (const { id, cases, findings } of results) out.report(`${id}, ${cases} cases`, findings);
  return results;
}

/** A document of values without cases names all that its own release knew, and not what came later. */
const isOfEarlierRelease = ({ document, cases }: LoadedRule, rules: readonly LoadedRule[]): boolean =>
  !isTable(document) &&
  cases.length === 0 &&
  rules.some(
    ({ document: { meta } }) =>
      meta.family === document.meta.family && meta.key === document.meta.key && meta.version > document.meta.version,
  );

const { valueChecks } = ruleUse(capabilities);

function caseResult({ id, document, cases }: LoadedRule): readonly CaseResult[] {
  if (!isTable(document)) {
    const findings = valueChecks.get(document.meta.family)?.({ document, cases }) ?? [];
    return cases.length + findings.length === 0 ? [] : [{ id, cases: cases.length, findings }];
  }
  const none = errorFinding('CASE_FAILED', 'table_has_none', { document: id });
  const findings = cases.length === 0 ? [none] : goldenFindings(compileTable(document), cases);
  return [{ id, cases: cases.length, findings }];
}

export async function writeBoundaryCases(ids: readonly string[], out: Output): Promise<boolean> {
  const lock = await readLock(rulesDir);
  const files = await readRuleFiles(rulesDir);
  for (const file of files.filter(({ id }) => !Object.hasOwn(lock, id) && (ids.length === 0 || ids.includes(id)))) {
    await writeBoundaryCasesOf(file, out);
  }
  const refused = ids.filter((id) => Object.hasOwn(lock, id) || !files.some((file) => file.id === id));
  for (const id of refused) console.error(`${id} is frozen or unknown`);
  return refused.length === 0;
}

async function writeBoundaryCasesOf(file: RuleFile, out: Output): Promise<void> {
  const { id, document } = loadRule({ ...file, goldenText: null }, documentValidators(capabilities));
  if (!isTable(document)) return;
  const cases = boundaryCases(compileTable(document));
  await fs.writeFile(file.goldenPath, goldenFileText(cases));
  out.line(`${id}: ${cases.length} cases written; read them before you freeze`);
}
