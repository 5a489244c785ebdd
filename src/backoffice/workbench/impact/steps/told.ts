// Rewards and notifications, where a draft is about them: nothing is judged anew, so that what was recorded lately is all that
// is read. Students with nothing of it are left out.

import { readingIn } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { notificationSimulation } from '#messaging/notifications/index.ts';
import { rewardSimulation } from '#outcomes/rewards/index.ts';
import type { ChunkServices } from '../../chunks/chunks.ts';
import { addStudent, type ImpactPosition } from '../engine/position.ts';
import { countRemoved, countRequest } from '../engine/told/notices.ts';
import { countRewards } from '../engine/told/rewards.ts';
import { simulatedDays } from '../engine/vocabulary.ts';
import type { RulePair } from '../rule-pair.ts';
import type { ImpactChunk } from './chunk.ts';

const daysBefore = (instant: string, days: number): string =>
  new Date(Date.parse(instant) - days * dayMs).toISOString();

/** Whether something differs, by student. */
type Seen = Map<number, boolean>;

export async function compareTold(
  services: ChunkServices,
  chunk: ImpactChunk,
  { rewards, notices }: RulePair,
  position: ImpactPosition,
): Promise<void> {
  const seen: Seen = new Map();
  if (rewards) await compareRewards(services, chunk, rewards, position, seen);
  if (notices) await compareNotices(services, chunk, notices, position, seen);
  for (const { studentId, schoolId, grade } of chunk.students) {
    const isChanged = seen.get(studentId);
    if (isChanged !== undefined) addStudent(position, { schoolId, grade, isChanged });
  }
}

async function compareRewards(
  services: ChunkServices,
  { organizationId, input: { asOf }, students }: ImpactChunk,
  rules: NonNullable<RulePair['rewards']>,
  position: ImpactPosition,
  seen: Seen,
): Promise<void> {
  const studentIds = students.map(({ studentId }) => studentId);
  const of = { organizationId, studentIds, asOf, since: daysBefore(asOf, simulatedDays) };
  const reading = readingIn(services.db, { organizationId });
  for (const student of await rewardSimulation.rewardedStudents(reading, services, rules, of)) {
    seen.set(student.studentId, countRewards(position, { organizationId, ...student }));
  }
}

async function compareNotices(
  services: ChunkServices,
  { organizationId, input: { asOf }, students, withNobody }: ImpactChunk,
  { kind, ...sides }: NonNullable<RulePair['notices']>,
  position: ImpactPosition,
  seen: Seen,
): Promise<void> {
  const reading = readingIn(services.db, { organizationId });
  const asked = {
    ...{ organizationId, studentIds: students.map(({ studentId }) => studentId), kind: kind.kind, asOf },
    ...{ since: daysBefore(asOf, simulatedDays), withNobody },
  };
  const rows = await notificationSimulation.simulatedRequests(reading, sides, asked);
  for (const row of rows) {
    const isOther = countRequest(position, organizationId, row);
    if (row.studentId !== null) seen.set(row.studentId, isOther || (seen.get(row.studentId) ?? false));
  }
  if (kind.daysBefore === null || kind.daysAfter >= kind.daysBefore) return;
  const kept = { since: daysBefore(asOf, kind.daysBefore), asOf: daysBefore(asOf, kind.daysAfter) };
  countRemoved(position, await reading((trx) => notificationSimulation.countTold(trx, { ...asked, ...kept })));
}
