// Connections whose credentials none of the service's keys opens: found by opening them, some at a time.

import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import type { Finding } from '#messaging/qa/index.ts';
import { LmsConnection } from '../connections/rows.ts';
import { opensCredentials } from './credentials.ts';

const mostInOneLook = 500;

type Place = readonly [organizationId: string, id: string];

/** The last one that was tried: the next look goes on behind it. */
const lastTried = new WeakMap<SecretCipher, Place>();

/** Of those that this look tries; after the last one it begins anew. */
export async function unreadableConnections(
  { db, cipher }: Pick<Services, 'db' | 'cipher'>,
  most = mostInOneLook,
): Promise<Finding[]> {
  const [organizationId, id] = lastTried.get(cipher) ?? ['', ''];
  const rows = await inReadOnlyContext(db, 'SUPER', async (trx) =>
    LmsConnection.query(trx)
      .where({ status: 'active' })
      .whereNotNull('sealedCredentials')
      .whereRaw('(organization_id, id) > (?, ?)', [organizationId, id])
      .orderBy(['organizationId', 'id'])
      .limit(most),
  );
  const last = rows.at(-1);
  if (last && rows.length === most) lastTried.set(cipher, [last.organizationId, last.id]);
  else lastTried.delete(cipher);
  return rows
    .filter((row) => !opensCredentials(cipher, row))
    .map((row) => ({ organizationId: row.organizationId, id: row.id, studentId: null }));
}
