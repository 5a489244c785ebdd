// Merges the account of a student into another one of the same child. From then on its evidence is read as the other's.

import { correctSeries, evidenceCorrected, isMeasuring, momentOfCorrection } from '#assessment/measurement/index.ts';
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, invalid } from '#core/platform/errors.ts';
import {
  type AccountPair,
  findStudent,
  lockPair,
  mergeAccounts,
  mergedRefusal,
  type mergeReasons,
  StudentMerge,
  undoUntil,
} from '#identity/people/index.ts';
import { leftBehindBy } from './left-behind.ts';

export interface Merging extends AccountPair {
  readonly reasonCode: (typeof mergeReasons)[number];
  readonly byUserId: number;
}

/**
 * Throws VALIDATION_ERROR `same`, NOT_FOUND when one of them is no student of the organization or was erased, and CONFLICT
 * `merged` or `open_session`. The audit names what the statements change; the caller has named the writer.
 */
export async function mergeStudents(trx: Trx, services: Services, { reasonCode, byUserId, ...asked }: Merging) {
  const { organizationId, studentId, intoStudentId } = asked;
  if (studentId === intoStudentId) throw invalid('intoStudentId', 'same');
  const pair = await lockPair(trx, asked);
  if (pair.from.status === 'merged') throw mergedRefusal();
  if (pair.into.status === 'merged') throw mergedRefusal('intoStudentId');
  const now = services.clock.now();
  if (await isMeasuring(trx, organizationId, [studentId, intoStudentId], now)) throw openSession();
  const leftBehind = await leftBehindBy(trx, services, pair.from);
  const moved = await mergeAccounts(trx, pair, now);
  const at = await momentOfCorrection(trx, services, organizationId, [studentId, intoStudentId]);
  const row = await StudentMerge.query(trx).insertAndFetch({
    ...{ organizationId, studentId, intoStudentId, reasonCode, byUserId, moved },
    at: at.toISOString(),
  });
  const { row: survivor } = await findStudent(trx, intoStudentId);
  await correctSeries(services, trx, survivor, at);
  const corrected = { studentId: intoStudentId, correction: 'merged' as const, correctionId: row.id };
  await appendEvents(trx, at, [newEvent(evidenceCorrected, organizationId, corrected)]);
  return {
    ...{ mergeId: row.id, studentId, intoStudentId, at: row.at, undoUntil: undoUntil(row).toISOString() },
    moved: { parentLinks: moved.parentLinks, identities: moved.identities },
    leftBehind,
  };
}

const openSession = () =>
  conflict('open_session', 'A diagnostic or an oral reading of one of the accounts is under way. Let it end first.');
