// Codes with which a class joins its live session. Those that work are unique in the whole service, so that a code of one
// organization never leads into another one's session by mistake of a digit that both have.
import { randomInt } from 'node:crypto';
import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { LiveSessionRow } from './session.ts';

const codeDigits = 6;
/** Of a million codes a few thousand are in use at once: the second draw is an exception. */
const mostDraws = 20;

const drawJoinCode = (): string => String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');

type Place = Pick<LiveSessionRow, 'organizationId' | 'id'>;

/** ENGINE_UNAVAILABLE where no unused code was drawn. What is in use elsewhere is not seen, and refused all the same. */
export async function takeJoinCode(
  trx: Trx,
  { organizationId, id }: Place,
  draw: () => string = drawJoinCode,
): Promise<string> {
  for (let draws = 0; draws < mostDraws; draws++) {
    const taken = await rowsOf<{ code: string }>(
      trx,
      `insert into live_join_code (code, organization_id, live_session_id) values (:code, :organizationId, :id)
       on conflict do nothing returning code`,
      { code: draw(), organizationId, id },
    );
    if (taken[0]) return taken[0].code;
  }
  throw unavailable('No unused code was found. Please try again.');
}

/** The session that a code of the organization leads to. */
export async function sessionOfCode(trx: Trx, organizationId: string, code: string): Promise<string | undefined> {
  const row = await trx('live_join_code').where({ code, organizationId }).first('liveSessionId');
  return row?.liveSessionId;
}

export const releaseJoinCode = async (trx: Trx, { organizationId, id }: Place): Promise<void> => {
  await trx('live_join_code').where({ organizationId, liveSessionId: id }).delete();
};
