// Pipeline closure: a value that the next layer does not know is found before publishing, not by a child's result.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { skillStatusContracts } from '#assessment/skill-status/engine/value-contracts.ts';
import { pipelineFindings } from '#rules/rulesets/engine/analysis/pipeline/pipeline.ts';
import type { ValueContract } from '#rules/rulesets/engine/analysis/pipeline/value-contracts.ts';
import { documentName, type Rule, type TableDocument } from '#rules/rulesets/engine/document/document.ts';
import { shippedVersion } from '../../../../harness/rules.ts';
import { shippedTables } from '../../tables.ts';

const shipped = (await shippedTables()).map(({ document }) => document);

/** The findings' messages after one table is changed. */
function after(
  name: string,
  change: (document: TableDocument) => TableDocument,
  contracts = skillStatusContracts,
): string[] {
  const documents = shipped.map((document) => (documentName(document) === name ? change(document) : document));
  return pipelineFindings(documents, contracts).map(({ code, ruleIds, message }) => `${code} ${ruleIds} ${message}`);
}

const withParams =
  (ruleId: string, params: Readonly<Record<string, unknown>>) =>
  (document: TableDocument): TableDocument => ({
    ...document,
    rules: document.rules.map((rule): Rule => {
      const changed = { ...rule, event: { ...rule.event, params: { ...rule.event.params, ...params } } };
      return rule.name === ruleId ? changed : rule;
    }),
  });

test('PAC-03: a reason that SSR does not list', () => {
  assert.equal(after('pac/pac', withParams('PAC-03', { reason: 'TOO_OLD' })), [
    'PIPELINE_OPEN PAC-03 pac/pac says reason TOO_OLD, which pacReason of ssr/ssr does not take',
  ]);
});

test('PAC-03: a reason that SSR lists, but declares impossible with this decision', () => {
  assert.equal(after('pac/pac', withParams('PAC-03', { reason: 'STRENGTH' })), [
    'PIPELINE_OPEN PAC-03 ssr/ssr@1 holds pacDecision do_not_decide_yet with pacReason STRENGTH to be impossible',
  ]);
  assert.equal(after('pac/pac', withParams('PAC-03', { reason: 'NO_EVIDENCE' })), []);
});

test('PAC-03: a missing parameter; an optional one may be missing', () => {
  assert.equal(after('pac/pac', withParams('PAC-03', { reason: undefined })), [
    'PIPELINE_OPEN PAC-03 pac/pac says reason undefined, which pacReason of ssr/ssr does not take',
  ]);
  assert.equal(after('pac/pac', withParams('PAC-03', { action: undefined })), []);
});

test('DDR-01: a value that no tile knows; "undecided" is not passed on', () => {
  assert.equal(after('ddr/ddr', withParams('DDR-01', { outcome: 'unseen' })), [
    'PIPELINE_OPEN DDR-01 ddr/ddr says outcome unseen, which domainStatus of dsm/dsm does not take',
    'PIPELINE_OPEN DDR-01 ddr/ddr says outcome unseen, which domainStatus of esc/esc does not take',
    'PIPELINE_OPEN DDR-01 ddr/ddr says outcome unseen, which facts of DDR-LC cannot read',
  ]);
});

test('SSR-06: a modifier in a list, and a status, that code cannot read', () => {
  const unknown = { modifiers: ['ARABIC_ACCURACY_ONLY_MONITOR', 'NEW'], outcome: 'doubtful' };
  assert.equal(after('ssr/ssr', withParams('SSR-06', unknown)), [
    'PIPELINE_OPEN SSR-06 ssr/ssr says outcome doubtful, which facts of DDR cannot read',
    'PIPELINE_OPEN SSR-06 ssr/ssr says modifiers NEW, which modifiers cannot read',
  ]);
});

test('ADR-01: a number outside the accepted range', () => {
  assert.equal(after('adr/adr', withParams('ADR-01', { deficit: 1.5 })), [
    'PIPELINE_OPEN ADR-01 adr/adr says deficit 1.5, which evidence units cannot read',
  ]);
});

test('BND: a fact or a value that the reading table removed', () => {
  const withoutFact = (document: TableDocument): TableDocument => {
    const { deficitBand: _gone, ...facts } = document.facts;
    return { ...document, facts, rules: document.rules.slice(0, 1), constraints: [] };
  };
  assert.equal(after('pac/pac', withoutFact), [
    `PIPELINE_OPEN  pac/pac@${shippedVersion('pac/pac')} has no fact deficitBand`,
  ]);
  const contracts: ValueContract[] = [
    { from: 'bnd/bnd', param: 'outcome', to: 'pac/pac', fact: 'deficitBand', also: ['vast'] },
  ];
  assert.equal(
    after('pac/pac', (document) => document, contracts),
    ['PIPELINE_OPEN  deficitBand of pac/pac does not take vast'],
  );
});

test('rules that decide nothing and missing tables are ignored', () => {
  const never = (document: TableDocument): TableDocument => {
    const changed = withParams('PAC-13', { reason: 'TOO_OLD' })(document);
    const rules = changed.rules.map((rule) => (rule.name === 'PAC-12' ? { ...rule, conditions: { all: [] } } : rule));
    return { ...changed, rules };
  };
  assert.equal(after('pac/pac', never), []);
  assert.equal(pipelineFindings([], skillStatusContracts), []);
});

test.run();
