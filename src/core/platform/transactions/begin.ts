// Begins a transaction and makes its settings in one message. A read does not wait for the answer: its first statement
// travels behind it, so that both cost one round trip.
import type { Knex } from 'knex';
import { asTransaction } from './outside.ts';
import { type Sender, writeTogether } from './write-together.ts';

type Work<T> = (trx: Knex.Transaction) => Promise<T>;

/** What the value of a setting may be: ids, names of roles and schemas. Nothing in it can end a quoted literal. */
const plain = /^[A-Za-z0-9_,-]{0,100}$/;

/** How knex begins a transaction; replaced before it does. */
interface Beginning {
  begin(connection: unknown): Promise<unknown>;
  readonly trxClient: Sender & { query(connection: unknown, statement: string): Promise<unknown> };
}

/**
 * `settings` hold until the transaction ends. Throws RangeError for a value that is neither an id nor a name. Where the
 * beginning fails, its error is thrown whatever became of `work`, and nothing that `work` read is answered.
 */
export async function beginWith<T>(
  db: Knex,
  settings: Readonly<Record<string, string>>,
  { readOnly }: { readonly readOnly: boolean },
  work: Work<T>,
): Promise<T> {
  const message = `${readOnly ? 'begin read only' : 'begin'}; ${settingsText(settings)}`;
  let begun: Promise<unknown> = Promise.resolve();
  const transaction = db.transaction(async (trx) => {
    // A write never starts before it is certain that it can be undone.
    if (!readOnly) await begun;
    try {
      return await asTransaction(() => work(trx));
    } finally {
      await begun;
    }
  });
  const beginning = transaction as unknown as Beginning;
  beginning.begin = async (connection) => {
    writeTogether(beginning.trxClient);
    begun = beginning.trxClient.query(connection, message);
    begun.catch(() => {});
  };
  return transaction;
}

function settingsText(settings: Readonly<Record<string, string>>): string {
  const calls = Object.entries(settings).map(([name, value]) => {
    if (!plain.test(value)) throw new RangeError(`the value of ${name} is neither an id nor a name`);
    return `set_config('${name}', '${value}', true)`;
  });
  return `select ${calls.join(', ')}`;
}
