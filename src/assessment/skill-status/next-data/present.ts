// Presents plans to staff; times in minutes.
import { minutesFrom, type PlannedAction, secondsOfAll } from './engine/plan.ts';
import type { PlannedSession } from './engine/sessions.ts';
import type { PlanOf } from './facts.ts';

type RuleVersions = Readonly<Record<string, number>>;

export const presentStudentPlan = ({ facts, plan }: PlanOf, ruleVersions: RuleVersions) => ({
  studentId: facts.studentId,
  asOf: facts.asOf,
  halted: facts.halted,
  actions: plan.actions.map(presentAction),
  totalMinutes: minutesFrom(secondsOfAll(plan.actions)),
  ruleVersions,
});

export const presentClassPlan = (
  classId: number,
  plans: readonly PlanOf[],
  sessions: readonly PlannedSession[],
  sessionMinutes: number,
  ruleVersions: RuleVersions,
) => ({
  classId,
  asOf: newest(plans.map(({ facts }) => facts.asOf)),
  sessions: sessions.map(({ sessionNo, seconds, entries }) => ({
    sessionNo,
    minutes: minutesFrom(seconds),
    exceedsLength: seconds > sessionMinutes * 60,
    entries: entries.map(({ studentId, actions }) => ({ studentId, actions: actions.map(presentAction) })),
  })),
  totalMinutes: minutesFrom(sessions.reduce((sum, { seconds }) => sum + seconds, 0)),
  students: {
    halted: plans.filter(({ facts }) => facts.halted).length,
    coverable: plans.filter(({ facts, plan }) => facts.halted && endsEveryHalt(plan)).length,
  },
  ruleVersions,
});

const presentAction = ({ action, subSkillCodes, formCode, itemsNeeded, seconds, ends }: PlannedAction) => ({
  action,
  subSkillCodes: [...subSkillCodes],
  formCode,
  itemsNeeded,
  minutes: minutesFrom(seconds),
  ends: ends.map(({ subSkillCode, reason }) => ({ subSkillCode, reason })),
});

const endsEveryHalt = ({ uncovered }: PlanOf['plan']): boolean =>
  uncovered.every(({ reason }) => reason === 'REQUIRED_ROLE');

/** ISO 8601 instants in UTC sort as text. */
const newest = (moments: readonly (string | null)[]): string | null =>
  moments.reduce((last, moment) => (moment !== null && (last === null || moment > last) ? moment : last), null);
