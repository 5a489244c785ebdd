// The evaluation of students (51 §4.3): layer A follows the runs, then the result of the alert machine is written, under the
// locks of their support.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { enrollmentContexts, lockSupport } from '../../interventions/index.ts';
import { heldByPackets } from '../due/alert-facts.ts';
import { rtiRules } from '../rules/compiled.ts';
import type { RtiSituation } from '../situations/situation.ts';
import { rtiSituationsOf } from '../situations/situations.ts';
import type { SkillChange } from '../skill-states/fold.ts';
import { followSkills, studentsToFollow } from '../skill-states/follow.ts';
import {
  type AlertChanges,
  changedEvaluations,
  runMachine,
  studentsWithOpening,
  writeLog,
  writeTransitions,
} from './alerts.ts';
import { closeOfErased } from './erased.ts';

export interface EvaluationQuestion {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** For writers it is taken under the locks of the students' support. */
  readonly now: Date;
}

export interface RtiEvaluation extends AlertChanges {
  readonly situation: RtiSituation;
  readonly skillChanges: readonly SkillChange[];
}

/** For living students of the organization, by id. Throws ENGINE_UNAVAILABLE when a rule document is missing. */
export async function evaluateStudents(
  trx: Trx,
  services: Services,
  { organizationId, studentIds, now }: EvaluationQuestion,
): Promise<ReadonlyMap<number, RtiEvaluation>> {
  await lockSupport(trx, organizationId, studentIds);
  const students = await enrollmentContexts(trx, organizationId, studentIds);
  const followed = rtiRules((await services.rules.at(trx, now)).rules);
  const skills = await followSkills(trx, { organizationId, students, rules: followed, now });
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds, now });
  const evaluated = [...situations.values()].map((situation) => runMachine(situation, rules, { organizationId, now }));
  const changes = new Map<number, AlertChanges>();
  const held = await heldByPackets(trx, organizationId, studentsWithOpening(evaluated));
  for (const one of evaluated) changes.set(one.situation.studentId, await writeTransitions(trx, one, held));
  await writeLog(trx, evaluated, changes);
  const erased = studentIds.filter((id) => !situations.has(id));
  await closeOfErased(trx, { organizationId, studentIds: erased, now });
  return new Map(
    evaluated.map(({ situation }) => {
      const { studentId } = situation;
      const skillChanges = skills.get(studentId) ?? [];
      return [studentId, { ...(changes.get(studentId) ?? noChanges), situation, skillChanges }];
    }),
  );
}

/**
 * The students for whom an evaluation would write something, those with new snapshots and erased ones included. Takes no
 * lock and writes nothing.
 */
export async function studentsWithChanges(
  trx: Trx,
  services: Services,
  { organizationId, studentIds, now }: EvaluationQuestion,
): Promise<ReadonlySet<number>> {
  const measured = await studentsToFollow(trx, organizationId, studentIds);
  const others = studentIds.filter((id) => !measured.has(id));
  const { situations, rules } = await rtiSituationsOf(trx, services, { organizationId, studentIds: others, now });
  const evaluated = [...situations.values()].map((situation) => runMachine(situation, rules, { organizationId, now }));
  const changed = await changedEvaluations(trx, evaluated);
  const erased = others.filter((id) => !situations.has(id));
  return new Set([...measured, ...erased, ...changed.map(({ situation }) => situation.studentId)]);
}

const noChanges: AlertChanges = { opened: null, closed: [] };
