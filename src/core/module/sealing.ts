// Secrets that an earlier key has encrypted are encrypted anew under the first one, each night, so that the earlier key can
// leave the service.
import { type Db, inContext, type Trx } from '../platform/db.ts';
import type { SecretCipher } from '../platform/keys/cipher.ts';
import { lockingRows, type RowsName } from '../platform/locks.ts';
import { rowsOf } from '../platform/sql.ts';
import type { PlatformDailySchedule } from './jobs.ts';

/** A column of encrypted texts; names are those of the database. */
export interface SealedColumn {
  readonly lock: RowsName;
  readonly table: string;
  /** Beside `organization_id`. */
  readonly id: string;
  readonly column: string;
  /** SQL of what the text was encrypted for (`SecretCipher`). */
  readonly context: string;
  /** The column that says which key has encrypted it, where there is one beside the text. */
  readonly keyIdColumn?: string;
}

const hour = 1;
const pageSize = 100;

export const sealingJob = (name: string, sealed: SealedColumn): PlatformDailySchedule => ({
  name,
  dailyAt: hour,
  of: 'platform',
  async run({ db, cipher, log }) {
    const { count, left } = await sealAnew(db, cipher, sealed);
    if (count + left > 0) log.info({ table: sealed.table, count, left }, 'secrets were encrypted anew');
  },
});

interface Row {
  readonly organization: string;
  readonly id: string;
  readonly text: string;
  readonly context: string;
}

/** Page by page, each a transaction. `left`: what none of the keys opens stays as it is. */
async function sealAnew(
  db: Db,
  cipher: SecretCipher,
  sealed: SealedColumn,
): Promise<{ readonly count: number; readonly left: number }> {
  let [count, left] = [0, 0];
  for (let after: Row | undefined; ; ) {
    const page = await inContext(db, 'SUPER', (trx) => sealPage(trx, cipher, sealed, after));
    count += page.sealed;
    left += page.rows.length - page.sealed;
    after = page.rows.at(-1);
    if (page.rows.length < pageSize) return { count, left };
  }
}

async function sealPage(trx: Trx, cipher: SecretCipher, sealed: SealedColumn, after: Row | undefined) {
  const { lock, table, id, column, context, keyIdColumn } = sealed;
  const [keyId = ''] = cipher.keyIds;
  const rows = await rowsOf<Row>(
    trx,
    `select organization_id as organization, ${id}::text as id, ${column} as text, ${context} as context from ${table}
     where ${column} is not null and split_part(${column}, '.', 1) <> :keyId
       and (organization_id, ${id}::text) > (:organization, :id)
     order by organization_id, ${id}::text limit ${pageSize} ${lockingRows(lock, 'change')}`,
    { keyId, organization: after?.organization ?? '', id: after?.id ?? '' },
  );
  const anew = rows.flatMap((row) => encryptedAnew(cipher, row));
  await trx.raw(
    `update ${table} t set ${column} = r.text${keyIdColumn ? `, ${keyIdColumn} = :keyId` : ''}
     from jsonb_to_recordset(:anew::jsonb) as r (organization text, id text, text text)
     where t.organization_id = r.organization and t.${id}::text = r.id`,
    { keyId, anew: JSON.stringify(anew) },
  );
  return { rows, sealed: anew.length };
}

function encryptedAnew(cipher: SecretCipher, { organization, id, text, context }: Row) {
  try {
    return [{ organization, id, text: cipher.encrypt(cipher.decrypt(text, context), context) }];
  } catch {
    return [];
  }
}
