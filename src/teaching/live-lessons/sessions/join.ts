// A student joins the session that the teacher's code leads to. Codes are short: who guesses waits after ten wrong ones.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { type AppError, denied, notFound } from '#core/platform/errors.ts';
import { claimJoinAttempt } from '#identity/people/index.ts';
import type { CallWith } from '../call.ts';
import { sessionOfCode } from '../rows/codes.ts';
import { appendLiveEvents, newestSeq } from '../rows/events.ts';
import { findLockedLive } from '../rows/lock.ts';
import { LiveParticipant } from '../rows/participants.ts';
import type { LiveSessionRow } from '../rows/session.ts';
import type { JoinBody, Joined } from './schemas.ts';

interface Joining extends CallWith<Static<typeof JoinBody>> {
  readonly clientIp: string;
}

interface Student {
  readonly id: number;
  readonly organizationId: string;
}

/** RATE_LIMITED while the student is locked out; NOT_FOUND for a wrong code, PERMISSION_DENIED for another class's. */
export async function joinLive(call: Joining): Promise<Static<typeof Joined>> {
  const { services, trx, actor, body } = call;
  if (actor.organizationId === null) throw denied();
  const student: Student = { id: actor.userId, organizationId: actor.organizationId };
  const attempt = await claimJoinAttempt(call, student);
  const { row, refusal } = await sessionFor(trx, student, body.joinCode);
  if (refusal) throw await attempt.committedRefusal(refusal);
  await attempt.recordSuccess();
  await enter(trx, row, student, services.clock.now());
  return { liveSessionId: row.id, state: row.state, cursor: String(await newestSeq(trx, row)) };
}

type Found =
  | { readonly row: LiveSessionRow; readonly refusal?: undefined }
  | { readonly row?: undefined; readonly refusal: AppError };

/** Locked. A code is dead from the end of its session on. */
async function sessionFor(trx: Trx, student: Student, code: string): Promise<Found> {
  const id = await sessionOfCode(trx, student.organizationId, code);
  const row = id === undefined ? undefined : await findLockedLive(trx, student.organizationId, id);
  if (!row || row.endedAt !== null) return { refusal: notFound() };
  const isOwn = await trx('enrollment')
    .where({ organizationId: row.organizationId, classId: row.classId, studentId: student.id })
    .whereNull('enrolledTo')
    .first('id');
  return isOwn ? { row } : { refusal: denied('This session is of another class.') };
}

/** Whoever is there already stays there. */
async function enter(trx: Trx, row: LiveSessionRow, { id: studentId }: Student, now: Date): Promise<void> {
  const { organizationId, id: liveSessionId } = row;
  const key = { organizationId, liveSessionId, studentId };
  const there = await LiveParticipant.query(trx).findOne(key);
  if (there && there.leftAt === null) return;
  const at = now.toISOString();
  if (there) await LiveParticipant.query(trx).where(key).patch({ lastSeenAt: at, leftAt: null });
  else await LiveParticipant.query(trx).insert({ ...key, joinedAt: at, lastSeenAt: at, leftAt: null });
  await appendLiveEvents(trx, row, [{ type: 'participant_joined', studentId, data: { studentId } }], now);
}
