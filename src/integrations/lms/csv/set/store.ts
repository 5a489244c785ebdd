// Stores a parsed set in place of the stored one, or as a change of it. No name of an erased person is stored.
import { inflateRawSync } from 'node:zlib';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { AppError } from '#core/platform/errors.ts';
import { type LmsConnection, LmsSourceRow } from '../../connections/rows.ts';
import { erasedAmong, hasErasures, hashesOf, holdErasures } from '../../personal-data/erased.ts';
import type { SourceRow, UserContent } from '../content.ts';
import { setsEndedAt } from '../whole.ts';
import type { ParsedSet } from './parse.ts';
import { idSeparator } from './rows.ts';

/** Throws VALIDATION_ERROR `no_bulk_set` for a delta when no set is stored. The connection is locked. */
export async function storeSet(
  trx: Trx,
  { cipher }: Pick<Services, 'cipher'>,
  { organizationId, id: connectionId }: Pick<LmsConnection, 'organizationId' | 'id'>,
  set: ParsedSet,
  now: Date,
): Promise<void> {
  await holdErasures(trx, organizationId);
  const stored = LmsSourceRow.query(trx).where({ organizationId, connectionId });
  const isDelta = [...set.modes.values()].includes('delta');
  if (isDelta && !(await stored.clone().where('storedAt', '>', setsEndedAt(now)).select('file').first()))
    throw noBulkSet();
  const replaced = [...set.modes].filter(([, mode]) => mode === 'bulk').map(([file]) => file);
  const gone = replaced.includes('users') ? [...replaced, 'agents'] : replaced;
  await (isDelta ? stored.clone().whereIn('file', gone) : stored.clone()).delete();
  if (isDelta) await stored.clone().update({ storedAt: now.toISOString() });
  const hasErased = await hasErasures(trx, { organizationId, provider });
  const storing = { organizationId, connectionId, isDelta, now, ...(hasErased && { cipher }) };
  for (const page of set.pages) await storePage(trx, storing, page);
}

const noBulkSet = () =>
  new AppError('VALIDATION_ERROR', 'These files change a set that was never sent. Send a whole one (bulk) first.', {
    details: [{ field: 'files', issue: 'no_bulk_set' }],
  });

interface Storing {
  readonly organizationId: string;
  readonly connectionId: string;
  readonly isDelta: boolean;
  readonly now: Date;
  /** Set when a person was erased in the organization. */
  readonly cipher?: Services['cipher'];
}

const provider = 'oneroster';

/** True when the new row only deletes the stored one. */
const isDeletion = "excluded.content -> 'deleted' = 'true'::jsonb";

async function storePage(trx: Trx, storing: Storing, page: Buffer): Promise<void> {
  const { organizationId, connectionId, isDelta, now } = storing;
  const packed = inflateRawSync(page).toString();
  if (isDelta) await removeAgents(trx, storing, JSON.parse(packed));
  const text = storing.cipher ? await withoutErased(trx, storing, storing.cipher, packed) : packed;
  await trx.raw(
    `insert into lms_source_row
       (organization_id, connection_id, file, external_id, parent_id, person_id, content, stored_at)
     select ?, ?, r.file, r."externalId", r."parentId", r."personId", r.content, ?
     from jsonb_to_recordset(?::jsonb) as r
       (file text, "externalId" text, "parentId" text, "personId" text, content jsonb)
     on conflict (organization_id, connection_id, file, external_id) do update set
       parent_id = case when ${isDeletion} then coalesce(excluded.parent_id, lms_source_row.parent_id)
         else excluded.parent_id end,
       person_id = case when ${isDeletion} then coalesce(excluded.person_id, lms_source_row.person_id)
         else excluded.person_id end,
       content = case when ${isDeletion} then lms_source_row.content || '{"active": false, "deleted": true}'
         || case when lms_source_row.file = 'classes' then '{}' else '{"isBad": false}' end::jsonb
         else excluded.content end,
       stored_at = excluded.stored_at`,
    [organizationId, connectionId, now, text],
  );
}

async function withoutErased(
  trx: Trx,
  { organizationId }: Storing,
  cipher: Services['cipher'],
  packed: string,
): Promise<string> {
  const rows: SourceRow[] = JSON.parse(packed);
  const ids = rows.filter(({ file }) => file === 'users').map(({ externalId }) => externalId);
  const owner = { organizationId, provider };
  const erased = await erasedAmong(trx, owner, hashesOf(cipher, owner, ids));
  if (erased.size === 0) return packed;
  return JSON.stringify(
    rows.map((row) => (row.file === 'users' && erased.has(row.externalId) ? { ...row, content: nameless(row) } : row)),
  );
}

/** Keeps the row without personal data, so that the next preview shows why it is skipped. */
const nameless = ({ content }: SourceRow): UserContent => ({
  ...(content as UserContent),
  names: [],
  email: null,
  grade: null,
});

/** Deletes the agents of the people whose rows are sent again, because their rows name all agents. */
async function removeAgents(trx: Trx, { organizationId, connectionId }: Storing, rows: SourceRow[]): Promise<void> {
  const tellers = rows.filter(({ file }) => file === 'users').map(({ externalId }) => externalId);
  if (tellers.length === 0) return;
  await LmsSourceRow.query(trx)
    .where({ organizationId, connectionId, file: 'agents' })
    .whereRaw('split_part(external_id, ?, 1) = any(?::text[])', [idSeparator, tellers])
    .delete();
}
