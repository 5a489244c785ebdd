// What a teacher's device holds for a day without network. The same content is the same version, whenever it is fetched.
import type { Static } from 'typebox';
import type { Disclosure } from '#core/http/answers.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { contentOf } from '../content/content.ts';
import { requireCall } from '../rows/moves.ts';
import { includedIds, recipientsOf, type SessionRow } from '../rows/store.ts';
import { packExpiresAt } from './deadline.ts';
import { firstNamesOf } from './first-names.ts';
import type { OfflinePack } from './schemas.ts';

interface Asked {
  readonly trx: Trx;
  readonly now: Date;
}

/** As the record has it that somebody fetched the pack, on a device or on paper. */
export const packOf = ({ organizationId, id }: SessionRow): Disclosure => ({ document: 'pack', id, organizationId });

/** CONFLICT unless the session is accepted or laid out for students. */
export async function offlinePack({ trx, now }: Asked, row: SessionRow): Promise<Static<typeof OfflinePack>> {
  requireCall('offline', row);
  const { segments, items } = await contentOf(trx, row);
  const included = includedIds(await recipientsOf(trx, row));
  const recipients = await firstNamesOf(trx, row.organizationId, included);
  const held = { sessionId: row.id, recipients, segments: [...segments], items: [...items] };
  return { ...held, version: sha256Hex(canonicalJson(held)), expiresAt: packExpiresAt(now).toISOString() };
}
