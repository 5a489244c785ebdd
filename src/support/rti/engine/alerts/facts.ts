// The facts of RAL: those of the student and what is quiet, limited to the domains of the table.

import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { listedFacts } from '../../../interventions/engine/index.ts';
import type { RtiAlertKind } from '../vocabulary.ts';
import type { AlertFacts, AlertState } from './alert.ts';

export const alertTableFacts = listedFacts({
  dndy: 'flag',
  dataIncomplete: 'flag',
  acuteDrop: 'flag',
  acuteCbm: 'flag',
  tier: 'number',
  weeksInTier: 'number',
  reviewWeeks: 'number',
  deliveredWeeks: 'number',
  gate: 'word',
  progress: 'word',
  broadCount: 'number',
  strongCount: 'number',
  severeTile: 'flag',
  skillHit: 'flag',
  quietIntensive: 'flag',
  quietStudent: 'flag',
  quietReview: 'flag',
  quietSkill: 'flag',
});

const mostWeeks = 40;

export interface Quiet {
  readonly intensive: boolean;
  readonly student: boolean;
  readonly review: boolean;
  /** Whether every sub-skill that hits is quiet. */
  readonly skill: boolean;
}

export const noQuiet: Quiet = { intensive: false, student: false, review: false, skill: false };

/** The facts are in the order of the table. */
export const tableFacts = (facts: AlertFacts, quiet: Quiet) => ({
  dndy: facts.dndy,
  dataIncomplete: facts.dataIncomplete,
  acuteDrop: facts.acuteDrop !== null,
  acuteCbm: facts.acuteCbm !== null,
  tier: facts.tier,
  weeksInTier: Math.min(facts.weeksInTier, mostWeeks),
  reviewWeeks: Math.min(facts.reviewWeeks, mostWeeks),
  deliveredWeeks: Math.min(facts.deliveredWeeks, mostWeeks),
  gate: facts.gate,
  progress: facts.progress,
  broadCount: facts.broadCount,
  strongCount: facts.strongCount,
  severeTile: facts.severeTile,
  skillHit: facts.skillHits.length > 0,
  quietIntensive: quiet.intensive,
  quietStudent: quiet.student,
  quietReview: quiet.review,
  quietSkill: quiet.skill,
});
export type AlertTableFacts = ReturnType<typeof tableFacts>;

/** Whether such an alert was dismissed or decided recently. A new acute drop is never quiet. */
export function isQuiet(
  kind: RtiAlertKind,
  subSkillCode: string | null,
  alerts: readonly AlertState[],
  today: string,
  quietDays: number,
): boolean {
  return alerts.some((one) => {
    if (one.kind !== kind || (kind === 'Skill_Alert' && one.subSkillCode !== subSkillCode)) return false;
    if (one.state === 'dismissed') return one.expiresOn !== null && today < one.expiresOn;
    const isDecided = one.closedBy === 'maintain' || one.closedBy === 'defer';
    return isDecided && one.closedOn !== null && today < daysAfter(one.closedOn, quietDays);
  });
}

export function quietOf(
  { skillHits }: AlertFacts,
  alerts: readonly AlertState[],
  today: string,
  quietDays: number,
): Quiet {
  const quiet = (kind: RtiAlertKind, code: string | null = null) => isQuiet(kind, code, alerts, today, quietDays);
  return {
    intensive: quiet('Intensive_Review'),
    student: quiet('Student_Alert'),
    review: quiet('tier_review_due'),
    skill: skillHits.length > 0 && skillHits.every((code) => quiet('Skill_Alert', code)),
  };
}
