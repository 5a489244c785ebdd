// Encrypts the secrets of earlier keys again under the current key each night, so that an earlier key can be removed.
import { type Db, inContext, type Trx } from '../platform/db.ts';
import type { SecretCipher } from '../platform/keys/cipher.ts';
import { lockingRows, type RowsName } from '../platform/locks.ts';
import { rowsOf } from '../platform/sql.ts';
import type { PlatformDailySchedule } from './jobs.ts';

/** A column of encrypted texts. All names are those of the database. */
export interface EncryptedColumn {
  readonly lock: RowsName;
  readonly table: string;
  /** The key column beside `organization_id`. */
  readonly id: string;
  readonly column: string;
  /** SQL of the context with which the text was encrypted (`SecretCipher`). */
  readonly context: string;
  /** The column that names the key, if there is one beside the text. */
  readonly keyIdColumn?: string;
}

const hour = 1;
const pageSize = 100;

export const reencryptionJob = (name: string, source: EncryptedColumn): PlatformDailySchedule => ({
  name,
  dailyAt: hour,
  of: 'platform',
  async run({ db, cipher, log }) {
    const { count, left } = await reencryptColumn(db, cipher, source);
    if (count + left > 0)
      log.info({ table: source.table, count, left }, 'secrets were encrypted again under the current key');
  },
});

interface Row {
  readonly organization: string;
  readonly id: string;
  readonly text: string;
  readonly context: string;
}

/** Processes one page per transaction. `left` counts texts that none of the keys decrypts; they stay unchanged. */
async function reencryptColumn(
  db: Db,
  cipher: SecretCipher,
  source: EncryptedColumn,
): Promise<{ readonly count: number; readonly left: number }> {
  let [count, left] = [0, 0];
  for (let after: Row | undefined; ; ) {
    const page = await inContext(db, 'SUPER', (trx) => reencryptPage(trx, cipher, source, after));
    count += page.reencrypted;
    left += page.rows.length - page.reencrypted;
    after = page.rows.at(-1);
    if (page.rows.length < pageSize) return { count, left };
  }
}

async function reencryptPage(trx: Trx, cipher: SecretCipher, source: EncryptedColumn, after: Row | undefined) {
  const { lock, table, id, column, context, keyIdColumn } = source;
  const [keyId = ''] = cipher.keyIds;
  const rows = await rowsOf<Row>(
    trx,
    `select organization_id as organization, ${id}::text as id, ${column} as text, ${context} as context from ${table}
     where ${column} is not null and split_part(${column}, '.', 1) <> :keyId
       and (organization_id, ${id}::text) > (:organization, :id)
     order by organization_id, ${id}::text limit ${pageSize} ${lockingRows(lock, 'change')}`,
    { keyId, organization: after?.organization ?? '', id: after?.id ?? '' },
  );
  const reencrypted = rows.flatMap((row) => reencrypt(cipher, row));
  await trx.raw(
    `update ${table} t set ${column} = r.text${keyIdColumn ? `, ${keyIdColumn} = :keyId` : ''}
     from jsonb_to_recordset(:reencrypted::jsonb) as r (organization text, id text, text text)
     where t.organization_id = r.organization and t.${id}::text = r.id`,
    { keyId, reencrypted: JSON.stringify(reencrypted) },
  );
  return { rows, reencrypted: reencrypted.length };
}

function reencrypt(cipher: SecretCipher, { organization, id, text, context }: Row) {
  try {
    return [{ organization, id, text: cipher.encrypt(cipher.decrypt(text, context), context) }];
  } catch {
    return [];
  }
}
