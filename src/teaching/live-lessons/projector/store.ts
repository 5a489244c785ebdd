// Rows of projector runs and their seats; at most one run per lesson is open.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { Row } from '#core/platform/model.ts';
import { insertRows, rowsOf } from '#core/platform/sql.ts';
import type { MarkInput, Seat } from '../engine/projector.ts';
import type { ProjectorMark, ProjectorState } from '../enums.ts';
import type { LiveLessonRow } from '../rows/live-lesson.ts';

export class LiveProjectorRun extends Row {
  static override tableName = 'live_projector_run';
  static override idColumn = ['organizationId', 'id'];
  declare id: string;
  declare organizationId: string;
  declare liveSessionId: string;
  /** The playlist that contains the items of the seats. */
  declare playlistNo: number;
  declare state: ProjectorState;
  declare setUpBy: number;
  declare openedAt: string;
  declare closedAt: string | null;
  /** Number of requests with marks. */
  declare markCalls: number;
  /** The result of the commit; null before. */
  declare committed: number | null;
  declare skipped: number | null;
}

export interface StoredSeat extends Seat {
  /** Null without a mark. */
  readonly mark: ProjectorMark | null;
  readonly selectedOptionIndex: number | null;
}

type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'id'>;
type Key = Pick<LiveProjectorRun, 'organizationId' | 'id'>;

export const openRun = async (
  trx: Trx,
  { organizationId, id: liveSessionId }: LessonKey,
): Promise<LiveProjectorRun | undefined> =>
  LiveProjectorRun.query(trx).findOne({ organizationId, liveSessionId, state: 'open' });

export const findRun = async (
  trx: Trx,
  { organizationId, id: liveSessionId }: LessonKey,
  id: string,
): Promise<LiveProjectorRun | undefined> => LiveProjectorRun.query(trx).findOne({ organizationId, liveSessionId, id });

export async function insertRun(
  trx: Trx,
  { organizationId, id: liveSessionId, playlistNo }: LiveLessonRow,
  setUpBy: number,
  seats: readonly Seat[],
  now: Date,
): Promise<string> {
  const id = newId();
  const run = { id, organizationId, liveSessionId, playlistNo, state: 'open', setUpBy } as const;
  await LiveProjectorRun.query(trx).insert({ ...run, openedAt: now.toISOString() });
  const rows = seats.map((seat) => ({ organizationId, projectorRunId: id, ...seat }));
  await insertRows(trx, 'live_projector_seat', rows);
  return id;
}

/** Returns the seats of a run, ordered by number. */
export const seatsOfRun = (trx: Trx, { organizationId, id }: Key): Promise<StoredSeat[]> =>
  rowsOf(
    trx,
    `select seat_no, student_id, item_ref, mark, selected_option_index from live_projector_seat
     where organization_id = :organizationId and projector_run_id = :id order by seat_no`,
    { organizationId, id },
  );

/** Replaces marks with their options. The caller holds the lock of the lesson. */
export async function saveMarks(
  trx: Trx,
  { organizationId, id, markCalls }: Key & Pick<LiveProjectorRun, 'markCalls'>,
  marks: readonly MarkInput[],
  now: Date,
): Promise<void> {
  await trx.raw(
    `update live_projector_seat s set mark = m.row ->> 'mark', marked_at = :at,
       selected_option_index = (m.row ->> 'selectedOptionIndex')::integer
     from jsonb_array_elements(:marks::jsonb) as m (row)
     where s.organization_id = :organizationId and s.projector_run_id = :id
       and s.seat_no = (m.row ->> 'seatNo')::integer`,
    { organizationId, id, marks: JSON.stringify(marks), at: now.toISOString() },
  );
  await LiveProjectorRun.query(trx)
    .where({ organizationId, id })
    .patch({ markCalls: markCalls + 1 });
}

export async function closeRun(
  trx: Trx,
  { organizationId, id }: Key,
  change: { readonly state: 'discarded' } | { readonly state: 'committed'; committed: number; skipped: number },
  now: Date,
): Promise<void> {
  await LiveProjectorRun.query(trx)
    .where({ organizationId, id })
    .patch({ ...change, closedAt: now.toISOString() });
}
