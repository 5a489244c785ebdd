// Join codes of live lessons. Active codes are unique across organizations.

import { randomInt } from 'node:crypto';
import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { modelOf } from '#core/platform/model.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LiveLessonRow } from './live-lesson.ts';

const codeDigits = 6;
/** A few thousand of a million codes are in use, so that more than one draw is rare. */
const maxDraws = 20;

const drawJoinCode = (): string => String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');

const LiveJoinCode = modelOf<{
  readonly code: string;
  readonly organizationId: string;
  readonly liveSessionId: string;
}>('live_join_code', { id: 'code' });

type LessonKey = Pick<LiveLessonRow, 'organizationId' | 'id'>;

/**
 * Draws and stores an unused code. Codes of other organizations are invisible here, but the unique key refuses them. Throws
 * ENGINE_UNAVAILABLE when no unused code was drawn.
 */
export async function reserveJoinCode(
  trx: Trx,
  { organizationId, id }: LessonKey,
  draw: () => string = drawJoinCode,
): Promise<string> {
  for (let draws = 0; draws < maxDraws; draws++) {
    const taken = await rowsOf<{ code: string }>(
      trx,
      `insert into live_join_code (code, organization_id, live_session_id) values (:code, :organizationId, :id)
       on conflict do nothing returning code`,
      { code: draw(), organizationId, id },
    );
    if (taken[0]) return taken[0].code;
  }
  throw unavailable('No unused code was found. Try again.');
}

/** Returns the id of the live lesson with this code in the organization. */
export async function liveLessonOfCode(trx: Trx, organizationId: string, code: string): Promise<string | undefined> {
  const row = await LiveJoinCode.query(trx).where({ code, organizationId }).select('liveSessionId').first();
  return row?.liveSessionId;
}

export const releaseJoinCode = async (trx: Trx, { organizationId, id }: LessonKey): Promise<void> => {
  await LiveJoinCode.query(trx).where({ organizationId, liveSessionId: id }).delete();
};
