// Joining a live lesson with its code. Codes are short, so a student is locked out after ten wrong ones.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { type AppError, denied, notFound } from '#core/platform/errors.ts';
import { claimJoinAttempt, Enrollment } from '#identity/people/index.ts';
import type { CallWith } from '../call.ts';
import { liveLessonOfCode } from '../rows/codes.ts';
import { appendLiveEvents, newestSeq } from '../rows/events.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';
import { findLockedLive } from '../rows/lock.ts';
import { LiveParticipant } from '../rows/participants.ts';
import type { JoinBody, Joined } from './schemas.ts';

interface JoinRequest extends CallWith<Static<typeof JoinBody>> {
  readonly clientIp: string;
}

interface Student {
  readonly id: number;
  readonly organizationId: string;
}

/** Throws RATE_LIMITED during a lockout, NOT_FOUND for a wrong code, PERMISSION_DENIED for the code of another class. */
export async function joinLive(call: JoinRequest): Promise<Static<typeof Joined>> {
  const { services, trx, actor, body } = call;
  if (actor.organizationId === null) throw denied();
  const student: Student = { id: actor.userId, organizationId: actor.organizationId };
  const attempt = await claimJoinAttempt(call, student);
  const { row, refusal } = await scopeFor(trx, student, body.joinCode);
  if (refusal) throw await attempt.committedRefusal(refusal);
  await attempt.recordSuccess();
  await addParticipant(trx, row, student, services.clock.now());
  return { liveSessionId: row.id, state: row.state, cursor: String(await newestSeq(trx, row)) };
}

type JoinTarget =
  | { readonly row: LiveLessonRow; readonly refusal?: undefined }
  | { readonly row?: undefined; readonly refusal: AppError };

/** Finds and locks the lesson. A code is invalid after the end of its lesson. */
async function scopeFor(trx: Trx, student: Student, code: string): Promise<JoinTarget> {
  const id = await liveLessonOfCode(trx, student.organizationId, code);
  const row = id === undefined ? undefined : await findLockedLive(trx, student.organizationId, id);
  if (!row || row.endedAt !== null) return { refusal: notFound() };
  const isOwn = await Enrollment.query(trx)
    .where({ organizationId: row.organizationId, classId: row.classId, studentId: student.id })
    .whereNull('enrolledTo')
    .select('id')
    .first();
  return isOwn ? { row } : { refusal: denied('This lesson is of another class.') };
}

/** Does nothing for a student who already takes part. */
async function addParticipant(trx: Trx, row: LiveLessonRow, { id: studentId }: Student, now: Date): Promise<void> {
  const { organizationId, id: liveSessionId } = row;
  const key = { organizationId, liveSessionId, studentId };
  const participant = await LiveParticipant.query(trx).findOne(key);
  if (participant && participant.leftAt === null) return;
  const at = now.toISOString();
  if (participant) await LiveParticipant.query(trx).where(key).patch({ lastSeenAt: at, leftAt: null });
  else await LiveParticipant.query(trx).insert({ ...key, joinedAt: at, lastSeenAt: at, leftAt: null });
  await appendLiveEvents(trx, row, [{ type: 'participant_joined', studentId, data: { studentId } }], now);
}
