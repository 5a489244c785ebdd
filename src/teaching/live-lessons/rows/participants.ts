// Who has joined a live session.
import type { Trx } from '#core/platform/db.ts';
import { Row } from '#core/platform/model.ts';
import type { LiveSessionRow } from './session.ts';

export class LiveParticipant extends Row {
  static override tableName = 'live_participant';
  static override idColumn = ['organizationId', 'liveSessionId', 'studentId'];
  declare organizationId: string;
  declare liveSessionId: string;
  declare studentId: number;
  declare joinedAt: string;
  declare lastSeenAt: string;
  /** Null again where the student comes back. */
  declare leftAt: string | null;
}

/** In the order in which they joined. */
export const participantsOf = (
  trx: Trx,
  { organizationId, id: liveSessionId }: Pick<LiveSessionRow, 'organizationId' | 'id'>,
): Promise<LiveParticipant[]> =>
  LiveParticipant.query(trx)
    .where({ organizationId, liveSessionId })
    .orderBy(['joinedAt', 'studentId'])
    .then((rows) => [...rows]);
