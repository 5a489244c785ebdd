// Starts a warm-up or returns the open one.

import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import {
  findStudent,
  lockWritableStudents,
  requireGrade,
  requireWritable,
  type StudentInScope,
} from '#identity/people/index.ts';
import { windowAt } from '#rules/catalogue/index.ts';
import { bandOfGrade, type Item } from '../../content/index.ts';
import { activeMeasurement, type MeasurementRules } from '../rules.ts';
import type { RequestServices } from '../services.ts';
import { planWarmup, type WarmupTarget, warmupTargetsOf } from './engine/plan.ts';
import { readWarmupValues, type WarmupValues } from './engine/values.ts';
import { storedThetas } from './queries.ts';
import { expire, statusAt } from './session.ts';
import { type PinnedPlan, WarmupItem, WarmupSession, type WarmupType } from './store.ts';

/** Undefined when there is no item to warm up with. */
export type StartedWarmup = { readonly session: WarmupSession; readonly resumed: boolean } | undefined;

/** Returns the open warm-up of either type, or a new one. Throws CONFLICT `no_grade` without a class of this school year. */
export async function startWarmup(
  services: RequestServices,
  trx: Trx,
  studentId: number,
  sessionType: WarmupType,
  now: Date,
): Promise<StartedWarmup> {
  const { row: student } = await requireWritable(findStudent(trx, studentId));
  await lockWritableStudents(trx, student.organizationId, [student.id]);
  const open = await openWarmup(trx, studentId, now);
  if (open) return { session: open, resumed: true };
  const rules = await activeMeasurement(services, trx, now);
  const { schoolYear } = windowAt(student, rules, now);
  const grade = requireGrade(student, schoolYear);
  const stored = await storedThetas(trx, student, schoolYear);
  return insertWarmup(trx, { student, sessionType, schoolYear }, planFor(grade, stored, rules), now);
}

/** Returns the open warm-up and closes an expired one. */
async function openWarmup(trx: Trx, studentId: number, now: Date): Promise<WarmupSession | undefined> {
  const session = await WarmupSession.query(trx).where({ studentId }).whereIn('status', ['RUNNING', 'PAUSED']).first();
  if (!session || statusAt(session, now) !== 'EXPIRED') return session;
  await expire(trx, session);
  return undefined;
}

interface Plan {
  readonly pinned: PinnedPlan;
  readonly items: readonly Item[];
  readonly values: WarmupValues;
}

function planFor(grade: number, stored: readonly WarmupTarget[], rules: MeasurementRules): Plan {
  const { bundle, bank } = rules;
  const values = readWarmupValues(bundle);
  const facts = {
    gradeBand: bandOfGrade(grade, rules.values.gradeBands),
    targets: warmupTargetsOf(stored, rules.values.firstParts.get(grade) ?? []),
  };
  const pinned = {
    ...facts,
    rulesVersion: `scoring/measurement@${bundle.versions['scoring/measurement']}`,
    bankVersion: `content/item-bank@${bank.version}`,
  };
  return { pinned, items: planWarmup(facts, bank, values), values };
}

interface Whose {
  readonly student: StudentInScope;
  readonly sessionType: WarmupType;
  readonly schoolYear: string;
}

async function insertWarmup(
  trx: Trx,
  { student, sessionType, schoolYear }: Whose,
  { pinned, items, values }: Plan,
  now: Date,
): Promise<StartedWarmup> {
  if (items.length === 0) return undefined;
  const { organizationId, id: studentId } = student;
  const session = await WarmupSession.query(trx).insertAndFetch({
    id: newId(),
    organizationId,
    studentId,
    sessionType,
    status: 'RUNNING',
    schoolYear,
    pinned,
    startedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + values.resumableMs).toISOString(),
  });
  await WarmupItem.query(trx).insert(items.map((item, at) => plannedRow(session, item, at + 1)));
  return { session, resumed: false };
}

const plannedRow = ({ id: sessionId, organizationId, schoolYear }: WarmupSession, item: Item, seq: number) => ({
  id: newId(),
  organizationId,
  schoolYear,
  sessionId,
  seq,
  itemId: item.id,
  itemVersion: item.version,
  subSkillCode: item.subSkillCode,
  difficultyLogit: item.difficulty,
});
