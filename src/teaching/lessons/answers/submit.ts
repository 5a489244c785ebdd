// Submission of answers: by students while a lesson is distributed to them, or later by a teacher's offline device. Repeated
// answers are stored once.
import type { Static } from 'typebox';
import type { Trx } from '#core/platform/db.ts';
import { conflict } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { refuseMerged } from '#identity/people/index.ts';
import { lessonContentOf } from '../content/content.ts';
import { acceptsUntil } from '../offline/deadline.ts';
import { includedIds, type LessonRow, lockLesson, recipientsOf } from '../rows/store.ts';
import { accepts, requireAcceptedCall } from '../rows/transitions.ts';
import { newAnswers, type SentAnswer } from './check.ts';
import type { AcceptedResponses } from './schemas.ts';
import { appendLessonResponses, type Submission } from './store.ts';

type Accepted = Static<typeof AcceptedResponses>;

/** Stores answers of an included student. Throws CONFLICT unless the lesson is distributed. */
export const submitOwn = (
  trx: Trx,
  lesson: LessonRow,
  sent: readonly SentAnswer[],
  of: Submission,
): Promise<Accepted> => submit(trx, lesson, sent, of, (row) => requireAcceptedCall('answer', row));

/** Stores answers of many students. Throws CONFLICT `expired` after the deadline of the last offline pack. */
export const submitOffline = (
  trx: Trx,
  lesson: LessonRow,
  sent: readonly SentAnswer[],
  of: Submission,
): Promise<Accepted> => submit(trx, lesson, sent, of, (row) => requireInTime(row, of.now));

function requireInTime(row: LessonRow, now: Date): void {
  if (accepts('offline', row)) return;
  const until = acceptsUntil(row);
  if (until === undefined) requireAcceptedCall('offline', row);
  else if (now > until) throw conflict('expired', 'The deadline for answers of this lesson has passed.', 'state');
}

/** Takes a shared lock, so that students do not wait for each other while the lesson cannot change. */
async function submit(
  trx: Trx,
  lesson: LessonRow,
  sent: readonly SentAnswer[],
  of: Submission,
  requireState: (row: LessonRow) => void,
): Promise<Accepted> {
  const row = await lockLesson(trx, lesson, 'share');
  const { items } = await lessonContentOf(trx, row);
  const included = new Set(includedIds(await recipientsOf(trx, row)));
  const studentIds = [...new Set(sent.map(({ studentId }) => studentId))];
  await refuseMerged(trx, row.organizationId, studentIds, 'responses');
  const known = await knownIds(trx, row, sent);
  const answers = newAnswers(sent, { items, included, known });
  requireState(row);
  const accepted = await appendLessonResponses(trx, row, answers, of);
  return { accepted, duplicates: sent.length - accepted };
}

async function knownIds(
  trx: Trx,
  { organizationId, id: sessionId, schoolYear }: LessonRow,
  sent: readonly SentAnswer[],
): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ clientResponseId: string }>(
    trx,
    `select client_response_id from session_response
     where organization_id = :organizationId and session_id = :sessionId and school_year = :schoolYear
       and client_response_id = any(:ids::uuid[])`,
    { organizationId, sessionId, schoolYear, ids: sent.map(({ clientResponseId }) => clientResponseId) },
  );
  return new Set(rows.map(({ clientResponseId }) => clientResponseId));
}
