// The one door to the record of changes: whoever names the writer of a transaction has all its changes of audited tables
// recorded, in the statement that makes them. No use case can forget it, and none writes the record by hand. Reads of documents
// about people are recorded here too.
import { isDeepStrictEqual } from 'node:util';
import type { Disclosure } from '../http/answers.ts';
import type { Trx } from '../platform/db.ts';
import { platformOrganizationId } from '../platform/pure/platform-organization.ts';
import { insertRows, rowsOf } from '../platform/sql.ts';
import { type Change, captureChanges, type Image } from '../platform/statements/audit-capture.ts';

export interface Writer {
  readonly actorUserId: number;
  readonly operation: string;
  readonly requestId: string;
}

/** How a table takes part; all names are those of columns. */
export interface AuditedTable {
  /** Entries go by its value. */
  readonly id: string;
  /** Values that may be kept for ever: nothing personal, no hash. Of all other columns only the names are kept. */
  readonly fields: readonly string[];
  /** Default: `organization_id`; where a row has none, the platform's. */
  readonly organization?: string;
}

/** By the name of the table. */
export type AuditedTables = Readonly<Record<string, AuditedTable>>;

/** From here to the end of the transaction, changes of audited tables leave entries under this name. */
export type NameWriter = (trx: Trx, writer: Writer, now: Date) => Promise<void>;

/** Throws RangeError for a table that two capabilities audit. */
export function auditedOf(capabilities: readonly { readonly audited?: AuditedTables }[]): AuditedTables {
  const tables = capabilities.flatMap(({ audited = {} }) => Object.entries(audited));
  const byName = Object.fromEntries(tables);
  if (Object.keys(byName).length < tables.length) throw new RangeError('a table is audited twice');
  return byName;
}

/** `recorded` tells the triggers of the release before that the entries are written here. */
export const auditWriter =
  (tables: AuditedTables): NameWriter =>
  async (trx, writer, now) => {
    const { actorUserId, operation, requestId } = writer;
    const at = now.toISOString();
    await trx.raw("select set_config('app.writer', ?, true)", [
      JSON.stringify({ actor: actorUserId, operation, requestId, at, recorded: true }),
    ]);
    await captureChanges(trx, Object.keys(tables), async (changes) => {
      const written = { actorUserId, operation, requestId, at };
      await insertRows(
        trx,
        'audit_entry',
        changes.flatMap((change) => entriesOf(change, tables[change.table], written)),
      );
    });
  };

/** None where nothing has changed. */
function entriesOf(
  { table, before, after }: Change,
  audited: AuditedTable | undefined,
  { actorUserId, operation, requestId, at }: Writer & { readonly at: string },
): object[] {
  const row = after ?? before;
  if (!audited || !row) return [];
  const changedFields = Object.keys(row).filter((column) => !isDeepStrictEqual(before?.[column], after?.[column]));
  if (changedFields.length === 0) return [];
  const { id, fields, organization = 'organization_id' } = audited;
  return [
    {
      organizationId: row[organization] ?? platformOrganizationId,
      entity: table,
      entityId: String(row[id]),
      action: before === null ? 'insert' : after === null ? 'delete' : 'update',
      changedFields: changedFields.sort(),
      before: before && kept(before, fields),
      after: after && kept(after, fields),
      actorUserId,
      operation,
      requestId,
      at,
    },
  ];
}

const kept = (image: Image, fields: readonly string[]): Image =>
  Object.fromEntries(fields.map((field) => [field, image[field] ?? null]));

/** With this one the database takes entries of reads: until the contract phase of its migration it has another. */
const takesReads = 'audit_entry_action';

const databasesOfReads = new WeakSet<object>();

/** Asked until it is so, then no more: a constraint does not go while a process runs. */
async function areReadsTaken(trx: Trx): Promise<boolean> {
  const { config } = trx.client;
  if (databasesOfReads.has(config)) return true;
  const found = await rowsOf(
    trx,
    "select 1 from pg_constraint where conrelid = 'audit_entry'::regclass and conname = :takesReads",
    { takesReads },
  );
  if (found.length > 0) databasesOfReads.add(config);
  return found.length > 0;
}

/**
 * Entries of who has read which documents: one for each person, document and hour of the Clock (UTC), none of demo
 * organizations. In the order of the key, so that two requests of one person do not wait for each other.
 */
export async function recordReads(
  trx: Trx,
  { actorUserId, operation, requestId }: Writer,
  documents: readonly Disclosure[],
  now: Date,
): Promise<void> {
  if (!(await areReadsTaken(trx))) return;
  await trx.raw(
    `insert into audit_entry (organization_id, at, actor_user_id, operation, request_id, entity, entity_id, action,
       changed_fields)
     select o.id, :at, :actorUserId, :operation, :requestId, d.row ->> 'document', d.row ->> 'id', 'read', '{}'
     from jsonb_array_elements(:documents::jsonb) as d (row)
     join organization o on o.id = d.row ->> 'organizationId' and not o.is_demo
     order by 1, 6, 7
     on conflict do nothing`,
    { at: now.toISOString(), actorUserId, operation, requestId, documents: JSON.stringify(documents) },
  );
}
