// The status of a student (tier, open alert, skill states), and an evaluation on request.
import type { Static } from 'typebox';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { underLock, versionsOf } from '../../interventions/index.ts';
import { presentRtiAlert } from '../alerts/present.ts';
import type { RtiRules } from '../engine/compiled.ts';
import { alertDocuments } from '../evaluation/alerts.ts';
import { evaluateStudents } from '../evaluation/evaluate.ts';
import type { RtiAlert } from '../rows/alerts.ts';
import { rtiRules } from '../rules/compiled.ts';
import type { RtiSituation } from '../situations/situation.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import { statesOf } from '../skill-states/store.ts';
import { notEnrolled } from '../tiers/move.ts';
import type { EvaluatedView, RtiStatusView } from './schemas.ts';

export interface StatusQuestion {
  readonly services: Services;
  readonly trx: Trx;
  readonly scope: { readonly organizationId: string; readonly id: number };
  readonly now: Date;
}

/** Writes nothing. */
export async function rtiStatus({ services, trx, scope, now }: StatusQuestion): Promise<Static<typeof RtiStatusView>> {
  const { organizationId, id: studentId } = scope;
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds: [studentId], now });
  const situation = situations.get(studentId);
  if (!situation) throw notFound();
  const present = (row: RtiAlert) => presentRtiAlert(row, { situation, rules, now });
  const { tier, tierSince, weeksInTier, reviewWeeks, openAlert, dismissedAlerts } = situation;
  return {
    ...{ studentId, tier, tierSince, weeksInTier, reviewWeeks },
    openAlert: openAlert && present(openAlert),
    dismissedAlerts: dismissedAlerts.map(present),
    skillStates: await skillStatesOf(trx, organizationId, situation, rules),
    ...haltOf(situation),
    ruleVersions: versionsOf(rules, alertDocuments),
  };
}

const haltOf = ({ halted, dataIncomplete, nextRecommendedDataAction }: RtiSituation) => ({
  outcome: halted || dataIncomplete ? ('do_not_decide_yet' as const) : ('evaluated' as const),
  nextRecommendedDataAction,
});

/** In catalogue order. */
async function skillStatesOf(
  trx: Trx,
  organizationId: string,
  { studentId, skills }: RtiSituation,
  { skills: { catalogue } }: RtiRules,
) {
  const newest = new Map((await statesOf(trx, organizationId, [studentId])).map((row) => [row.subSkillCode, row]));
  return catalogue.subSkills.flatMap(({ code }) => {
    const row = newest.get(code);
    const lastStatus = skills[code]?.measurements.at(-1)?.status ?? null;
    return row ? [{ subSkillCode: code, state: row.state, since: row.decidedOn, lastStatus }] : [];
  });
}

/** Throws CONFLICT `not_enrolled`. A second call changes nothing. */
export async function evaluateNow(asked: StatusQuestion): Promise<Static<typeof EvaluatedView>> {
  const { organizationId, id: studentId } = asked.scope;
  const { services, trx, now } = await underLock(asked, { organizationId, studentId });
  const evaluated = await evaluateStudents(trx, services, { organizationId, studentIds: [studentId], now });
  const student = evaluated.get(studentId);
  if (!student?.situation.enrollment) throw notEnrolled();
  const rules = rtiRules((await services.rules.at(trx, now)).rules);
  const present = (row: RtiAlert) => presentRtiAlert(row, { situation: student.situation, rules, now });
  return {
    opened: student.opened && present(student.opened),
    closed: student.closed.map(present),
    skillStateChanges: student.skillChanges.map(({ snapshot, from, to }) => ({
      ...{ subSkillCode: snapshot.subSkillCode, from, to },
    })),
    ...haltOf(student.situation),
  };
}
