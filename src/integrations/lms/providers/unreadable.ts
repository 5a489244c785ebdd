// Finds connections whose credentials none of the keys of the service decrypts, by decrypting some of them at a time.
import type { Services } from '#core/module/services.ts';
import { inReadOnlyContext } from '#core/platform/db.ts';
import type { SecretCipher } from '#core/platform/keys/cipher.ts';
import type { ProbeFinding } from '#messaging/qa/index.ts';
import { LmsConnection } from '../connections/rows.ts';
import { canOpenCredentials } from './credentials.ts';

const maxPerRun = 500;

type ConnectionKey = readonly [organizationId: string, id: string];

/** The last connection that was tried; the next run continues after it. */
const lastTried = new WeakMap<SecretCipher, ConnectionKey>();

/** Returns the unreadable ones among the next `most` connections; after the last connection it starts again. */
export async function unreadableConnections(
  { db, cipher }: Pick<Services, 'db' | 'cipher'>,
  most = maxPerRun,
): Promise<ProbeFinding[]> {
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
    .filter((row) => !canOpenCredentials(cipher, row))
    .map((row) => ({ organizationId: row.organizationId, id: row.id, studentId: null }));
}
