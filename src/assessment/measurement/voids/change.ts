// Voids evidence and restores it. Nothing is deleted: the rows of the evidence stay, and the correction counts from its
// moment on.
import type { Actor } from '#core/http/route.ts';
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { conflict, notFound } from '#core/platform/errors.ts';
import { findStudent, lockStudents, type StudentInScope } from '#identity/people/index.ts';
import { evidenceCorrected } from '../events.ts';
import { loadCorrections } from '../evidence/corrections/load.ts';
import { momentOfCorrection } from '../evidence/corrections/moment.ts';
import { present } from '../evidence/engine/corrections.ts';
import { CbmProbe, OrfAssessment } from '../fluency/store.ts';
import { correctSeries } from '../fluency/trend/correct.ts';
import { replaceQueueOf } from '../practice/replace.ts';
import { refuseLate } from './deadlines.ts';
import type { VoidableEvidence } from './scopes.ts';
import { EvidenceVoid, type VoidReason } from './store.ts';

interface Call {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Pick<Actor, 'persona' | 'userId'>;
}

/**
 * Voids the evidence, replaces practice that was seeded from it, and evaluates the series again. Throws CONFLICT
 * `state` for what is no evidence yet, `voided`, `too_late`.
 */
export async function voidEvidence(
  { services, trx, actor }: Call,
  evidence: VoidableEvidence,
  reasonCode: VoidReason,
): Promise<EvidenceVoid> {
  const { kind, refId, organizationId, studentId, endedAt } = evidence;
  const { student, corrections } = await lockOwner(trx, evidence);
  if (endedAt === null) throw conflict('state', 'Only what is finished can be voided.');
  if (corrections.voidAt(kind, refId, present) !== null) throw conflict('voided', 'This is voided already.');
  const now = services.clock.now();
  await refuseLate(services, trx, actor, { since: endedAt, timeZone: student.timeZone, now });
  if (kind === 'diagnostic') await replaceQueueOf(services, trx, evidence, now);
  const moment = await momentOfCorrection(trx, services, organizationId, [studentId]);
  const row = await EvidenceVoid.query(trx).insertAndFetch({
    ...{ organizationId, studentId, kind, refId, reasonCode },
    ...{ at: moment.toISOString(), byUserId: actor.userId },
  });
  await followCorrection({ services, trx }, student, { row, correction: 'voided', moment });
  return row;
}

/** Restores what is voided. Throws CONFLICT `restored`, `too_late`. */
export async function restoreEvidence(
  { services, trx, actor }: Call,
  { id, ...found }: EvidenceVoid,
): Promise<EvidenceVoid> {
  const { organizationId, studentId } = found;
  const { student } = await lockOwner(trx, found);
  const row = await EvidenceVoid.query(trx).findOne({ organizationId, id }).throwIfNotFound();
  if (row.restoredAt !== null) throw conflict('restored', 'This is restored already.');
  const now = services.clock.now();
  await refuseLate(services, trx, actor, { since: row.at, timeZone: student.timeZone, now });
  const moment = await momentOfCorrection(trx, services, organizationId, [studentId]);
  const restored = await EvidenceVoid.query(trx).patchAndFetchById([organizationId, id], {
    restoredAt: new Date(Math.max(moment.getTime(), Date.parse(row.at))).toISOString(),
    restoredByUserId: actor.userId,
  });
  await followCorrection({ services, trx }, student, { row: restored, correction: 'restored', moment });
  return restored;
}

/** Locks the account, so that corrections and measuring of it wait, and returns the student whose evidence it is. */
async function lockOwner(trx: Trx, { organizationId, studentId }: Pick<EvidenceVoid, 'organizationId' | 'studentId'>) {
  await lockStudents(trx, organizationId, [studentId]);
  const corrections = await loadCorrections(trx, organizationId, [studentId]);
  const { row: student } = await findStudent(trx, corrections.survivorAt(studentId, present));
  if (student.organizationId !== organizationId) throw notFound();
  return { student, corrections };
}

interface Followed {
  readonly row: EvidenceVoid;
  readonly correction: 'voided' | 'restored';
  readonly moment: Date;
}

async function followCorrection(
  { services, trx }: Pick<Call, 'services' | 'trx'>,
  student: StudentInScope,
  { row, correction, moment }: Followed,
): Promise<void> {
  const { organizationId, id: studentId } = student;
  const day = await dayOfReading(trx, row);
  if (day !== null) await correctSeries(services, trx, student, moment, day);
  await appendEvents(trx, moment, [
    newEvent(evidenceCorrected, organizationId, { studentId, correction, correctionId: row.id }),
  ]);
}

/** Returns the local date of what was read; null for evidence of no series. */
async function dayOfReading(trx: Trx, { organizationId, kind, refId }: EvidenceVoid): Promise<string | null> {
  if (kind === 'orf') {
    const { readOn } = await OrfAssessment.query(trx).findOne({ organizationId, id: refId }).throwIfNotFound();
    return readOn;
  }
  if (kind !== 'cbm') return null;
  const probe = await CbmProbe.query(trx)
    .findOne({ organizationId, id: Number(refId) })
    .throwIfNotFound();
  return probe.administeredOn;
}
