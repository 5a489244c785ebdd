// Every shipped table passes the checks before publishing.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import { ruleUse } from '#backoffice/workbench/validation/rule-use.ts';
import { analyseTable } from '#rules/rulesets/engine/analysis/analyse.ts';
import { minMutationScore, mutationReport } from '#rules/rulesets/engine/analysis/mutation/mutation.ts';
import { pipelineFindings } from '#rules/rulesets/engine/analysis/pipeline/pipeline.ts';
import { boundaryCases } from '#rules/rulesets/engine/boundaries/boundary-cases.ts';
import { leavesOf } from '#rules/rulesets/engine/document/conditions.ts';
import { documentName, type TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { isError } from '#rules/rulesets/engine/document/findings.ts';
import { shippedTables } from '../../tables.ts';

const tables = await shippedTables();

/** Minimum number of mutants: each rule dropped, each two neighbours swapped, each comparison changed. */
const smallMistakes = ({ rules }: TableDocument): number =>
  2 * rules.length - 1 + rules.flatMap(({ conditions }) => leavesOf(conditions)).length;

for (const { id, document, table, cases } of tables) {
  test(`${id}: no errors, and its golden cases reach a mutation score of 0.95`, () => {
    const { findings, mutation } = analyseTable(table, cases);
    assert.equal(findings.filter(isError), []);
    assert.ok(mutation.total >= smallMistakes(document), String(mutation.total));
    assert.ok(mutation.score >= minMutationScore, JSON.stringify(mutation.survivors));
  });

  test(`${id}: generated boundary cases alone reach 0.95`, () => {
    const { score, survivors } = mutationReport(table, boundaryCases(table));
    assert.ok(score >= minMutationScore, JSON.stringify(survivors));
  });
}

test('every layer of every capability accepts the outputs of the layers before it', () => {
  const documents = tables.map(({ document }) => document);
  const names = new Set(documents.map(documentName));
  const { valueContracts } = ruleUse(capabilities);
  assert.ok(valueContracts.length > 35, String(valueContracts.length));
  for (const contract of valueContracts)
    assert.ok(names.has(contract.from) && (!('to' in contract) || names.has(contract.to)), contract.from);
  assert.equal(pipelineFindings(documents, valueContracts), []);
});

test.run();
