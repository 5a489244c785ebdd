// Layer A: skill states follow the runs of a student, each run once, whether it is called after every run or after several.
// Earlier runs of a new student are caught up on in the same way.

import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { type ColumnTypes, insertColumns } from '#core/platform/statements/insert-columns.ts';
import { measureOf, type RoleCode, versionsOf } from '../../interventions/index.ts';
import { byStudent } from '../by-student.ts';
import type { RtiRules } from '../engine/compiled.ts';
import type { Measurement } from '../engine/skills/measurements.ts';
import { skillStateUp } from '../events.ts';
import { keepCursors, studentsWithNewSnapshots } from './cursors.ts';
import { type FoldedSnapshots, type Folding, foldSkills, type SkillChange } from './fold.ts';
import { type StatusSnapshot, snapshotsAfter, type TrendAt, trendsOf } from './snapshots.ts';
import { keepMeasurements, measurementsOf, type SkillMeasurement, type SkillStateRow, statesOf } from './store.ts';

export interface FollowedStudent {
  readonly studentId: number;
  /** IANA name. */
  readonly timeZone: string;
}

export interface Following {
  readonly organizationId: string;
  readonly students: readonly FollowedStudent[];
  readonly rules: RtiRules;
  readonly now: Date;
}

/** The documents that decide on the states. */
const documents = ['rti/skill-state', 'profile/settings'];

/**
 * The caller holds the locks of the support. Returns the changes of each student with a change, in the order of the runs.
 */
export async function followSkills(
  trx: Trx,
  following: Following,
): Promise<ReadonlyMap<number, readonly SkillChange[]>> {
  const { organizationId } = following;
  const behind = await studentsWithNewSnapshots(
    trx,
    organizationId,
    following.students.map(({ studentId }) => studentId),
  );
  if (behind.length === 0) return new Map();
  const snapshots = byStudent(await snapshotsAfter(trx, organizationId, behind));
  await keepCursors(
    trx,
    organizationId,
    behind.map(({ studentId, after }) => ({ studentId, snapshotId: snapshots.get(studentId)?.at(-1)?.id ?? after })),
  );
  return snapshots.size === 0 ? new Map() : foldAll(trx, following, snapshots);
}

/** The students with snapshots that were not followed yet. */
export async function studentsToFollow(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const behind = await studentsWithNewSnapshots(trx, organizationId, studentIds);
  if (behind.length === 0) return new Set();
  return new Set((await snapshotsAfter(trx, organizationId, behind)).map(({ studentId }) => studentId));
}

async function foldAll(trx: Trx, following: Following, snapshots: ReadonlyMap<number, readonly StatusSnapshot[]>) {
  const { organizationId, students } = following;
  const ids = [...snapshots.keys()];
  const measured = byStudent(await measurementsOf(trx, organizationId, ids));
  const states = byStudent(await statesOf(trx, organizationId, ids));
  const trendAt = await trendsOf(trx, organizationId, ids);
  const folded = students.flatMap(({ studentId, timeZone }): [number, FoldedSnapshots][] => {
    const own = snapshots.get(studentId);
    if (!own) return [];
    const standing = (code: string) => ({
      state: states.get(studentId)?.findLast(({ subSkillCode }) => subSkillCode === code)?.state ?? null,
      measurements: (measured.get(studentId) ?? [])
        .filter(({ subSkillCode }) => subSkillCode === code)
        .map(measurement),
    });
    return [[studentId, foldSkills(own, standing, foldingOf(following.rules, trendAt, timeZone))]];
  });
  await write(trx, following, folded);
  return new Map(folded.map(([studentId, { changes }]) => [studentId, changes]));
}

const measurement = ({ firstSnapshotId, snapshotId, ...one }: SkillMeasurement): Measurement => ({
  ...one,
  snapshotId,
  snapshotIds: firstSnapshotId === snapshotId ? [snapshotId] : [firstSnapshotId, snapshotId],
});

const stored = (one: Measurement, studentId: number, subSkillCode: string): SkillMeasurement => ({
  ...{ studentId, subSkillCode, sessionId: one.sessionId, endedAt: one.endedAt, endedOn: one.endedOn },
  ...{ status: one.status, snapshotId: one.snapshotId, firstSnapshotId: one.snapshotIds[0] ?? one.snapshotId },
});

export function foldingOf({ layerA, skills: { roles } }: RtiRules, trendAt: TrendAt, timeZone: string): Folding {
  const roleOf = (code: string) => roles.roles.find(({ subSkills }) => subSkills.some((one) => one.code === code));
  return {
    layerA,
    dateOf: (instant) => localDate(new Date(instant), timeZone),
    trendAt: (snapshot) => {
      const role = roleOf(snapshot.subSkillCode);
      return trendAt(measureOf((role?.code ?? null) as RoleCode | null), snapshot);
    },
  };
}

async function write(trx: Trx, following: Following, folded: readonly [number, FoldedSnapshots][]): Promise<void> {
  const { organizationId, students, rules, now } = following;
  const zones = new Map(students.map(({ studentId, timeZone }) => [studentId, timeZone]));
  await keepMeasurements(
    trx,
    organizationId,
    folded.flatMap(([studentId, { measured }]) =>
      [...measured].flatMap(([subSkillCode, all]) => all.map((one) => stored(one, studentId, subSkillCode))),
    ),
  );
  const changes = folded.flatMap(([, { changes }]) => changes);
  const frame = { organizationId, ruleVersions: versionsOf(rules, documents) };
  const rows = changes.map((change) => stateRow(frame, change, zones.get(change.snapshot.studentId) ?? 'UTC'));
  const ids = await insertColumns(trx, 'skill_state', rows, stateColumns);
  const events = changes.flatMap((change, at) => stepUp(organizationId, change, Number(ids[at]?.id ?? 0)));
  await appendEvents(trx, now, events);
}

type NewSkillState = Omit<SkillStateRow, 'id'>;

const stateColumns: ColumnTypes<NewSkillState> = {
  ...{ organizationId: 'text', schoolYear: 'text', studentId: 'bigint', subSkillCode: 'text', fromState: 'text' },
  ...{ state: 'text', ruleId: 'text', snapshotId: 'bigint', decidedAt: 'timestamptz', decidedOn: 'date' },
  ...{ facts: 'jsonb', ruleVersions: 'jsonb' },
};

const stateRow = (
  frame: Pick<NewSkillState, 'organizationId' | 'ruleVersions'>,
  { snapshot, from, to, answer }: SkillChange,
  timeZone: string,
): NewSkillState => ({
  ...{ ...frame, schoolYear: snapshot.schoolYear, studentId: snapshot.studentId },
  ...{ subSkillCode: snapshot.subSkillCode, fromState: from, state: to, ruleId: answer.ruleId },
  ...{ snapshotId: snapshot.id, decidedAt: snapshot.decidedAt, facts: answer.facts },
  decidedOn: localDate(new Date(snapshot.decidedAt), timeZone),
});

/** While a student is halted no step up is announced, nor afterwards. */
function stepUp(organizationId: string, { snapshot, from, to, answer }: SkillChange, skillStateId: number) {
  if (answer.event === null || from === null || snapshot.halted) return [];
  const { studentId, subSkillCode } = snapshot;
  return [
    newEvent(skillStateUp, organizationId, {
      ...{ studentId, skillStateId, snapshotId: snapshot.id, subSkillCode, from, to },
    }),
  ];
}
