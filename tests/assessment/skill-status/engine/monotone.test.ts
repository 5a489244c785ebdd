// Worse evidence never gives a better label, over every combination; unordered statuses are left out.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileDomainLayer } from '#assessment/skill-status/engine/domains/status.ts';
import type { DecidedSubSkill } from '#assessment/skill-status/engine/skills/status.ts';
import {
  deficitBands,
  orderedStatuses,
  patternStates,
  type SkillStatus,
} from '#assessment/skill-status/engine/vocabulary.ts';
import type { SubSkill } from '#rules/catalogue/engine/catalogue.ts';
import { cellsOf } from '#rules/rulesets/engine/boundaries/cells.ts';
import { decide } from '#rules/rulesets/engine/decide.ts';
import type { Facts } from '#rules/rulesets/engine/document/document.ts';
import { bundle, pipeline } from './rules.ts';
import { subSkill } from './students.ts';

const pac = bundle.table('pac/pac');
const ssr = bundle.table('ssr/ssr');

/** 0 is worst; −1 for a status that is not ordered, or none. */
const rank = (status: string | null): number => (orderedStatuses as readonly (string | null)[]).indexOf(status);

/** The context of a sub-skill in the fact space of SSR: all facts except PAC's answer. */
const contexts = [
  ...new Map([...cellsOf(ssr)].map(({ pacDecision, pacReason, ...rest }) => [JSON.stringify(rest), rest])).values(),
];

const statusWith = (facts: Facts, around: Facts): string => {
  const { outcome, params } = decide(pac, facts);
  return decide(ssr, { pacDecision: outcome, pacReason: String(params.reason), ...around }).outcome;
};

const scales = { deficitBand: deficitBands, patternState: patternStates } as const;
for (const [fact, scale] of Object.entries(scales)) {
  test(`PAC and SSR: a worse ${fact} never gives a better status`, () => {
    const starts = [...cellsOf(pac)].filter((facts) => facts[fact] === scale[0] && facts.distinctItems === 4);
    let compared = 0;
    for (const facts of starts) {
      for (const around of contexts) {
        const ranks = scale.map((step) => rank(statusWith({ ...facts, [fact]: step }, around)));
        const ordered = ranks.filter((one) => one >= 0);
        compared += ordered.length;
        if (ordered.some((one, at) => at > 0 && one > (ordered[at - 1] ?? one))) {
          assert.unreachable(`${fact} ${ranks} at ${JSON.stringify({ facts, around })}`);
        }
      }
    }
    assert.ok(compared > starts.length * contexts.length);
  });
}

const domainOf = compileDomainLayer(bundle, pipeline.thresholds);
const { confirmation } = subSkill({ evidence: { LK_SHAPE: 'd10 CCCC' } }, 'LK_SHAPE');

const decidedAs = (one: SubSkill, status: SkillStatus): DecidedSubSkill => ({
  subSkill: one,
  outcome: 'decided',
  status,
  confidence: 'high',
  decisionStrength: 'strong',
  pacDecision: 'confirm',
  pacReason: 'WEAKNESS_PLAIN',
  modifiers: [],
  confirmation,
  ssrRuleId: 'SSR-12',
});

/** The results of SSR for a sub-skill, worst to best. */
function possible({ gateway, accuracyIndicator }: SubSkill): readonly SkillStatus[] {
  if (accuracyIndicator) return ['weak_isolated', 'monitor', 'adequate'];
  if (gateway) return ['weak_gateway', 'monitor_gateway', 'adequate'];
  return ['broad_weakness_related', 'weak_domain_related', 'weak_isolated', 'monitor', 'adequate'];
}

function* combinations(members: readonly SubSkill[]): Generator<readonly SkillStatus[]> {
  const [first, ...rest] = members;
  if (!first) return yield [];
  for (const status of possible(first)) for (const others of combinations(rest)) yield [status, ...others];
}

for (const codes of [
  ['LK_SOUND', 'LK_FORM', 'LK_SHAPE', 'LK_CLOSE_SOUND'],
  ['DEC_SYLLABLE', 'DEC_WORD', 'DEC_FAMILIAR', 'DEC_PSEUDO'],
  ['SPL_WORD', 'SPL_TAA', 'SPL_HAMZA'],
]) {
  test(`DDR: worsening one sub-skill never improves the domain (${codes.join(', ')})`, () => {
    const members = pipeline.catalogue.subSkills.filter(({ code }) => codes.includes(code));
    const domain = pipeline.catalogue.domains[members[0]?.domainIndex ?? -1];
    if (!domain) return assert.unreachable('no domain');
    const rankOf = (statuses: readonly SkillStatus[]) => {
      const evaluation = domainOf(
        domain,
        members.map((one, at) => decidedAs(one, statuses[at] ?? 'adequate')),
      );
      return rank(evaluation.outcome === 'decided' ? evaluation.status : null);
    };
    for (const statuses of combinations(members)) {
      const before = rankOf(statuses);
      for (const [at, member] of members.entries()) {
        for (const worse of possible(member).filter((one) => rank(one) < rank(statuses[at] ?? null))) {
          if (rankOf(statuses.with(at, worse)) > before) assert.unreachable(`${statuses} → ${worse} at ${member.code}`);
        }
      }
    }
  });
}

test.run();
