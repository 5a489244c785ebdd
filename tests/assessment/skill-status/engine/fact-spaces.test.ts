// Every table over its whole fact space: the number of fact sets, agreement with an independent model, no unreachable
// rule.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cellsOf } from '#rules/rulesets/engine/boundaries/cells.ts';
import { decide } from '#rules/rulesets/engine/decide.ts';
import type { DocumentName, FactValue } from '#rules/rulesets/engine/document/document.ts';
import { bundle } from './rules.ts';

type Cell = Readonly<
  Record<'attempt' | 'support' | 'speed' | 'errorClass' | 'sides' | 'conflictState' | 'deficitBand', string> &
    Record<'patternState' | 'pacDecision' | 'pacReason' | 'domainStatus', string> &
    Record<'comprehension' | 'decodingState' | 'languageState', string> &
    Record<'analysable' | 'answered' | 'correct' | 'authority' | 'okSideWins' | 'contextReview', boolean> &
    Record<'gateway' | 'accuracyIndicator' | 'prereqConfirmedWeak' | 'domainPeersWeak' | 'anyContext', boolean> &
    Record<'broadWeak' | 'gatewayWeak' | 'anyCaution' | 'gatewayMonitor' | 'anyMonitor', boolean> &
    Record<'imbalance' | 'daysApart' | 'rawRate' | 'distinctItems' | 'sessionCount' | 'supportShare', number> &
    Record<'slowShare' | 'prereqShare' | 'behaviourShare' | 'coreWeakDomains' | 'decided' | 'coreWeak', number> &
    Record<'coreWeakShare' | 'coverage', number>
>;
type Row = readonly [ruleId: string, holds: boolean];

interface Space {
  readonly name: DocumentName;
  /** Number of valid fact sets after numbers are reduced to their cells. */
  readonly valid: number;
  readonly discrete: (facts: Cell) => readonly FactValue[];
  /** The rows in order; the first that holds decides. */
  readonly model: (facts: Cell) => readonly Row[];
}

const systematic = (facts: Cell) => facts.patternState === 'linked' || facts.patternState === 'persistent';
const held = /SUPPORTED_SUCCESS_ONLY|SLOW_BUT_ACCURATE|MILD_PATTERN|MILD_UNPATTERNED|SINGLE_SESSION_MARKED/;

const spaces: readonly Space[] = [
  {
    name: 'adr/adr',
    valid: 96,
    discrete: (f) => Object.values(f),
    model: (f) => [
      ['ADR-01', !f.analysable],
      ['ADR-02', !f.answered],
      ['ADR-03', f.attempt === 'repeat'],
      ['ADR-04', f.correct && f.support === 'auto_support'],
      ['ADR-05', f.correct && f.speed === 'slow'],
      ['ADR-06', f.correct],
      ['ADR-07', f.support === 'auto_support'],
      ['ADR-08', f.errorClass === 'prerequisite'],
      ['ADR-09', f.errorClass === 'target'],
      ['ADR-10', f.errorClass === 'accuracy_mark'],
      ['ADR-11', f.speed === 'slow'],
      ['ADR-12', true],
    ],
  },
  {
    name: 'cis/cis',
    valid: 12,
    discrete: (f) => [f.sides, f.imbalance <= 0.15, f.authority ? 'authority' : f.daysApart >= 14 ? 'recency' : 'none'],
    model: (f) => [
      ['CIS-01', f.sides === 'one_sided'],
      ['CIS-02', f.imbalance > 0.15],
      ['CIS-03', f.authority || f.daysApart >= 14],
      ['CIS-04', true],
    ],
  },
  {
    name: 'bnd/bnd',
    valid: 8,
    discrete: (f) => [[0.2, 0.35, 0.5].filter((cut) => f.rawRate >= cut).length, f.okSideWins],
    model: (f) => [
      ['BND-01', f.rawRate < 0.2],
      ['BND-02', f.rawRate < 0.35],
      ['BND-03', f.okSideWins],
      ['BND-04', f.rawRate < 0.5],
      ['BND-05', true],
    ],
  },
  {
    // 6,144 sets with four bands throughout; zero items (512 sets) go with the band "unknown" alone.
    name: 'pac/pac',
    valid: (6144 * 2) / 3 + 512,
    discrete: (f) => [
      f.distinctItems === 0 ? 'zero' : f.distinctItems < 4 ? 'below' : 'ok',
      f.conflictState,
      f.deficitBand,
      f.patternState,
      f.sessionCount <= 1,
      ...[f.supportShare, f.slowShare, f.prereqShare, f.behaviourShare].map((share) => share >= 0.5),
    ],
    model: (f) => [
      ['PAC-01', f.distinctItems === 0],
      ['PAC-02', f.distinctItems < 4],
      ['PAC-03', f.conflictState === 'unresolved'],
      ['PAC-04', f.deficitBand === 'none' && f.supportShare >= 0.5],
      ['PAC-05', f.deficitBand === 'none' && f.slowShare >= 0.5],
      ['PAC-06', f.deficitBand === 'none'],
      ['PAC-07', f.deficitBand === 'mild' && systematic(f)],
      ['PAC-08', f.deficitBand === 'mild'],
      ['PAC-09', f.deficitBand === 'marked' && f.sessionCount <= 1 && !systematic(f) && f.prereqShare < 0.5],
      ['PAC-10', f.behaviourShare >= 0.5],
      ['PAC-11', f.prereqShare >= 0.5],
      ['PAC-12', systematic(f)],
      ['PAC-13', true],
    ],
  },
  {
    name: 'ssr/ssr',
    valid: 624,
    discrete: (f) => [...Object.values({ ...f, coreWeakDomains: 0 }), f.coreWeakDomains >= 3],
    model: (f) => [
      ['SSR-01', f.pacDecision === 'do_not_decide_yet'],
      ['SSR-02', f.contextReview && f.pacReason.startsWith('WEAKNESS_')],
      ['SSR-03', f.pacReason === 'STRENGTH'],
      ['SSR-04', held.test(f.pacReason) && f.gateway],
      ['SSR-05', held.test(f.pacReason)],
      ['SSR-06', f.accuracyIndicator],
      ['SSR-07', f.pacReason === 'WEAKNESS_BEHAVIOUR'],
      ['SSR-08', f.gateway],
      ['SSR-09', f.coreWeakDomains >= 3],
      ['SSR-10', f.pacReason === 'WEAKNESS_PREREQUISITE' && f.prereqConfirmedWeak],
      ['SSR-11', f.domainPeersWeak],
      ['SSR-12', true],
    ],
  },
  {
    name: 'ddr/ddr',
    valid: 209,
    discrete: (f) => [
      f.decided > 0,
      ...[f.anyContext, f.broadWeak, f.gatewayWeak, f.anyCaution, f.gatewayMonitor, f.anyMonitor],
      Math.min(f.coreWeak, 2),
      coherent(f),
    ],
    model: (f) => [
      ['DDR-01', f.decided === 0],
      ['DDR-02', f.anyContext],
      ['DDR-03', f.broadWeak],
      ['DDR-04', f.gatewayWeak],
      ['DDR-05', coherent(f)],
      ['DDR-06', f.coreWeak >= 1],
      ['DDR-07', f.anyCaution],
      ['DDR-08', f.gatewayMonitor],
      ['DDR-09', f.anyMonitor],
      ['DDR-10', true],
    ],
  },
  {
    name: 'ddr-lc/ddr-lc',
    valid: 18,
    discrete: (f) => Object.values(f),
    model: (f) => [
      ['DDR-LC-01', states(f) === 'weak/weak/weak'],
      ['DDR-LC-02', states(f) === 'weak/weak/ok'],
      ['DDR-LC-03', states(f) === 'weak/ok/weak'],
      ['DDR-LC-04', states(f) === 'weak/ok/ok'],
      ['DDR-LC-DEFAULT', true],
    ],
  },
  {
    name: 'dsm/dsm',
    valid: 18,
    discrete: (f) => [f.domainStatus, f.coverage >= 0.5],
    model: (f) => [
      ['DSM-01', f.domainStatus === 'contextual_review'],
      ['DSM-02', f.domainStatus === 'cautionary_weakness_with_metadata'],
      ['DSM-03', f.domainStatus === 'weak_gateway'],
      ['DSM-04', f.domainStatus === 'broad_weakness_related'],
      ['DSM-05', f.domainStatus === 'weak_domain_related'],
      ['DSM-06', f.coverage < 0.5],
      ['DSM-07', f.domainStatus === 'weak_isolated'],
      ['DSM-08', f.domainStatus.startsWith('monitor')],
      ['DSM-09', true],
    ],
  },
];

const coherent = (f: Cell): boolean => f.coreWeak >= 2 || (f.coreWeak === 1 && f.coreWeakShare >= 0.5);
const states = (f: Cell): string => `${f.comprehension}/${f.decodingState}/${f.languageState}`;

for (const { name, valid, discrete, model } of spaces) {
  const table = bundle.table(name);
  const cells = [...cellsOf(table)] as Cell[];

  test(`${name}: ${valid} valid fact sets`, () => {
    const sets = new Set(cells.map((facts) => discrete(facts).join()));
    assert.is(sets.size, valid);
  });

  test(`${name}: every cell is decided as by the independent model`, () => {
    for (const facts of cells) {
      const [expected] = model(facts).find(([, holds]) => holds) ?? [];
      if (decide(table, facts).ruleId !== expected) assert.unreachable(`${expected} for ${JSON.stringify(facts)}`);
    }
  });

  test(`${name}: every rule is hit and every outcome reached`, () => {
    const { rules, outcomes } = table.document;
    const hit = new Set(cells.map((facts) => decide(table, facts).ruleId));
    assert.equal([...hit].sort(), rules.map((rule) => rule.name).sort());
    const reached = new Set(cells.map((facts) => decide(table, facts).outcome));
    assert.equal([...reached].sort(), [...outcomes.order, ...outcomes.unordered].sort());
  });
}

test.run();
