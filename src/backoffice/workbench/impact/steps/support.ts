// Profiles, plans and groups, where a draft is about them: what would be said of each student, class by class.

import type { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { supportSimulation } from '#support/interventions/index.ts';
import { countMember } from '../engine/groups.ts';
import { addHits, type ImpactPosition, tallyOf } from '../engine/position.ts';
import { addPairs } from '../engine/tally.ts';
import type { RulePair } from '../rule-pair.ts';

export type SupportOfStudents = ReadonlyMap<number, supportSimulation.SupportParts>;

const unasked: SupportOfStudents = new Map();

/** Nothing where the draft is about something else. */
export async function readSupport(
  trx: Trx,
  services: Pick<Services, 'capabilities' | 'itemBanks'>,
  { support }: RulePair,
  of: { readonly organizationId: string; readonly studentIds: readonly number[]; readonly asOf: string },
): Promise<SupportOfStudents> {
  return support ? supportSimulation.supportParts(trx, services, support.before, of) : unasked;
}

type Evaluation = ReturnType<typeof simulation.evaluate>;

export interface SupportedRun {
  readonly run: simulation.SimulatedRun;
  readonly before: Evaluation;
  readonly after: Evaluation;
  readonly inputs: {
    readonly before: simulation.SimulatedRun['input'];
    readonly after: simulation.SimulatedRun['input'];
  };
}

/** Adds what is said before and after to the position, and answers whether it differs. */
export function compareSupport(
  position: ImpactPosition,
  { support }: RulePair,
  parts: supportSimulation.SupportParts | undefined,
  supported: SupportedRun,
): boolean {
  if (!support || !parts) return false;
  const { organizationId, studentId, id: ref } = supported.run;
  const { before, after } = supportAnswers(support, parts, supported);
  countRules(position, 'before', before);
  countRules(position, 'after', after);
  const who = { organizationId, studentId, ref };
  const pairOf = (from: string, to: string) => [{ subject: String(studentId), from, to }];
  const isOther = [
    addPairs(tallyOf(position, 'PROFILE'), who, pairOf(before.profile.outcome, after.profile.outcome)),
    addPairs(tallyOf(position, 'BUNDLE'), who, pairOf(before.bundle.outcome, after.bundle.outcome)),
  ];
  const group = { classId: parts.place.classId, smallest: supportSimulation.smallestGroup(parts, support.after) };
  countMember(position, { ...group, before: before.clusterKey, after: after.clusterKey });
  if (before.coveredBy !== null && after.coveredBy !== before.coveredBy) position.groups.uncovered += 1;
  return isOther.some(Boolean);
}

export function supportAnswers(
  support: NonNullable<RulePair['support']>,
  parts: supportSimulation.SupportParts,
  { run: { grade, contextReview }, before, after, inputs }: SupportedRun,
) {
  const situation = { grade, contextReview };
  return {
    before: supportSimulation.supportAnswer(
      { ...situation, evaluation: before, input: inputs.before },
      parts,
      support.before,
    ),
    after: supportSimulation.supportAnswer(
      { ...situation, evaluation: after, input: inputs.after },
      parts,
      support.after,
    ),
  };
}

function countRules(
  position: ImpactPosition,
  side: 'before' | 'after',
  { profile, bundle }: supportSimulation.SupportAnswer,
): void {
  addHits(position, side, `profile/resolution ${profile.ruleId}`, 1);
  addHits(position, side, `bundle/recommendation ${bundle.ruleId}`, 1);
}
