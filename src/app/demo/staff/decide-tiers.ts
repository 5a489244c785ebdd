// Tier decisions of the demo's teachers: some weeks ago two children of each class moved to tier 2, one with sessions
// and one without, and a meeting about the first is prepared.

import type { Trx } from '#core/platform/db.ts';
import { daysBefore } from '#core/platform/pure/dates/days.ts';
import { assemblePacket, DecisionPacket } from '#support/decision-packets/index.ts';
import { RtiDecision, StoredTierMovement, tierCommands } from '#support/rti/index.ts';
import { asTeacher, type Classroom, callOf, today } from './classroom.ts';

/** Days since the decision: long enough to evaluate what was delivered since. */
const movedDaysAgo = 42;

/** Resumes after an interruption. */
export async function decideTiers(classroom: Classroom): Promise<void> {
  const { services, organizationId } = classroom;
  const children = await asTeacher(classroom, (trx) => childrenOf(classroom, trx));
  const ids = children.map(({ studentId }) => studentId);
  await tierCommands.evaluateAll(services, organizationId, ids);
  if (!(await asTeacher(classroom, (trx) => isDecided(classroom, trx, ids)))) {
    const chosen = await asTeacher(classroom, (trx) => chosenAmong(classroom, trx, children));
    for (const one of chosen) await asTeacher(classroom, (trx) => escalate(classroom, trx, one));
  }
  await tierCommands.evaluateAll(services, organizationId, ids);
  await asTeacher(classroom, (trx) => prepareMeeting(classroom, trx, ids));
}

interface Child {
  readonly studentId: number;
  readonly isTaught: boolean;
}

/** Sorted by id; `isTaught` means in the group of the class. */
const childrenOf = ({ organizationId, classRow }: Classroom, trx: Trx): Promise<Child[]> =>
  trx('enrollment as e')
    .where({ 'e.organizationId': organizationId, 'e.classId': classRow.id })
    .whereNull('e.enrolledTo')
    .orderBy('e.studentId')
    .select('e.studentId', {
      isTaught: trx.raw(
        `exists (select from bundle_assignment a where a.organization_id = e.organization_id
           and a.student_id = e.student_id and a.source_type = 'cluster')`,
      ),
    });

async function isDecided({ organizationId }: Classroom, trx: Trx, studentIds: readonly number[]): Promise<boolean> {
  const row = await RtiDecision.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .select('id')
    .first();
  return row !== undefined;
}

interface Chosen {
  readonly studentId: number;
  readonly recommendationId: string;
}

/** Selects the first taught and the first untaught child for whom escalation is recommended. */
async function chosenAmong(classroom: Classroom, trx: Trx, children: readonly Child[]): Promise<Chosen[]> {
  const { services, organizationId, now } = classroom;
  const studentIds = children.map(({ studentId }) => studentId);
  const advice = await tierCommands.adviceOf(trx, services, { organizationId, studentIds, now });
  const wanting = children.filter(({ studentId }) => advice.get(studentId)?.decision === 'escalate');
  return [true, false].flatMap((isTaught) => {
    const studentId = wanting.find((one) => one.isTaught === isTaught)?.studentId;
    const recommendationId = studentId === undefined ? undefined : advice.get(studentId)?.recommendationId;
    return studentId === undefined || recommendationId === undefined ? [] : [{ studentId, recommendationId }];
  });
}

async function escalate(classroom: Classroom, trx: Trx, { studentId, recommendationId }: Chosen): Promise<void> {
  const { organizationId, classRow } = classroom;
  const effectiveOn = daysBefore(today(classroom), movedDaysAgo);
  const body = { recommendationId, decision: 'escalate', effectiveOn } as const;
  const { id: classId, grade, academicYear, schoolId, timeZone } = classRow;
  const classHistory = [{ grade, academicYear, isOpen: true }];
  const scope = { id: studentId, organizationId, classId, schoolId, classHistory, timeZone };
  await tierCommands.commitDecision({ ...callOf(classroom, trx, body), scope });
}

async function prepareMeeting(classroom: Classroom, trx: Trx, studentIds: readonly number[]): Promise<void> {
  const { organizationId } = classroom;
  const moved: { studentId: number } | undefined = await StoredTierMovement.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .orderBy('id')
    .select('studentId')
    .first();
  const open = await DecisionPacket.query(trx)
    .where({ organizationId })
    .whereIn('studentId', [...studentIds])
    .select('id')
    .first();
  if (!moved || open) return;
  const body = { studentId: moved.studentId, reviewType: 'scheduled_tier_review' } as const;
  await assemblePacket(callOf(classroom, trx, body));
}
