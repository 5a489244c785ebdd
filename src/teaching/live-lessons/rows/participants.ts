// Rows of students who have joined a live lesson.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { LiveLessonRow } from './live-lesson.ts';

export class LiveParticipant extends Row {
  static override tableName = 'live_participant';
  static override idColumn = ['organizationId', 'liveSessionId', 'studentId'];
  declare organizationId: string;
  declare liveSessionId: string;
  declare studentId: number;
  declare joinedAt: string;
  declare lastSeenAt: string;
  /** Null while the student takes part; reset when the student joins again. */
  declare leftAt: string | null;
}

/** Returns participants in the order of joining. */
export const participantsOf = (
  trx: Trx,
  { organizationId, id: liveSessionId }: Pick<LiveLessonRow, 'organizationId' | 'id'>,
): Promise<LiveParticipant[]> =>
  LiveParticipant.query(trx)
    .where({ organizationId, liveSessionId })
    .orderBy(['joinedAt', 'studentId'])
    .then((rows) => [...rows]);
