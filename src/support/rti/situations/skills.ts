// The sub-skills of students as input of layer A and the alerts: the newest measurements, and the states around them.
import type { Trx } from '#core/platform/db.ts';
import type { Measurement } from '../engine/skills/measurements.ts';
import { type SkillHistory, stateBeforeNewest } from '../engine/skills/skill-facts.ts';
import { measurementsOf, type SkillMeasurement, type SkillStateRow, statesOf } from '../skill-states/store.ts';

export type Skills = Readonly<Record<string, SkillHistory>>;

/** Alerts compare the newest measurement with the one before it. */
const compared = 2;

/** By student, then by sub-skill. `used`: snapshots that have opened an acute alert. */
export async function skillsOf(
  trx: Trx,
  organizationId: string,
  studentIds: readonly number[],
  used: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Skills>> {
  const measured = grouped(await measurementsOf(trx, organizationId, studentIds, compared));
  const states = grouped(await statesOf(trx, organizationId, studentIds));
  return new Map(
    studentIds.map((studentId) => {
      const own = measured.get(studentId) ?? new Map<string, SkillMeasurement[]>();
      const changes = states.get(studentId) ?? new Map<string, SkillStateRow[]>();
      const skills = [...own].map(([code, rows]) => [code, historyOf(rows, changes.get(code) ?? [], used)] as const);
      return [studentId, Object.fromEntries(skills)];
    }),
  );
}

interface OfSkill {
  readonly studentId: number;
  readonly subSkillCode: string;
}

function grouped<T extends OfSkill>(rows: readonly T[]): ReadonlyMap<number, ReadonlyMap<string, readonly T[]>> {
  const found = new Map<number, Map<string, T[]>>();
  for (const row of rows) {
    const own = found.get(row.studentId) ?? new Map<string, T[]>();
    own.set(row.subSkillCode, [...(own.get(row.subSkillCode) ?? []), row]);
    found.set(row.studentId, own);
  }
  return found;
}

function historyOf(
  rows: readonly SkillMeasurement[],
  changes: readonly SkillStateRow[],
  used: ReadonlySet<number>,
): SkillHistory {
  const measurements = rows.map((row) => measurementOf(row, used));
  return {
    state: changes.at(-1)?.state ?? 'none',
    stateBeforeNewest: stateBeforeNewest(measurements, changes),
    measurements,
  };
}

/** The snapshots of a session that are needed: the first, the last, and any that an alert has used. */
function measurementOf(
  { sessionId, endedAt, endedOn, status, snapshotId, firstSnapshotId }: SkillMeasurement,
  used: ReadonlySet<number>,
): Measurement {
  const spent = [...used].filter((id) => id > firstSnapshotId && id < snapshotId);
  const snapshotIds = [...new Set([firstSnapshotId, ...spent, snapshotId])];
  return { sessionId, endedAt, endedOn, status, snapshotId, snapshotIds };
}
