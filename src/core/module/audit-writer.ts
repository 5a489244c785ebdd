// The single writer of the audit log. Once the writer of a transaction is set, every statement that changes an audited table
// records its changes too, so that no use case can forget them. Reads of documents about people are recorded here as well.

import { isDeepStrictEqual } from 'node:util';
import type { Disclosure } from '../http/answers.ts';
import type { Writer } from '../http/guards.ts';
import type { Trx } from '../platform/db.ts';
import { modelOf } from '../platform/model.ts';
import { platformOrganizationId } from '../platform/pure/platform-organization.ts';
import { insertRows, rowsOf } from '../platform/sql.ts';
import { captureChanges, type Image, type RowChange } from '../platform/statements/audit-capture.ts';

/** Which columns of a table are recorded. All names are those of columns. */
export interface AuditedTable {
  /** The column whose value identifies the row in the log. */
  readonly id: string;
  /**
   * Columns whose values are recorded: they hold nothing personal and no hash. Of all other columns only the names are
   * recorded.
   */
  readonly fields: readonly string[];
  /** Columns that follow from others, and are never recorded. */
  readonly derived?: readonly string[];
  /** Default: `organization_id`. A row without one is recorded for the platform. */
  readonly organization?: string;
}

export type AuditedTables = Readonly<Record<string, AuditedTable>>;

interface AuditEntryRow {
  readonly id: number;
  readonly organizationId: string | null;
  readonly at: string;
  readonly actorUserId: number;
  readonly operation: string;
  readonly requestId: string;
  readonly entity: string;
  readonly entityId: string;
  readonly action: 'insert' | 'update' | 'delete' | 'read';
  readonly changedFields: string[];
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

export const StoredAuditEntry = modelOf<AuditEntryRow>('audit_entry', {
  id: ['organizationId', 'id'],
  json: ['before', 'after'],
});

/** From this call to the end of the transaction, changes of audited tables are recorded as changes of `writer`. */
export type NameWriter = (trx: Trx, writer: Writer, now: Date) => Promise<void>;

/** Merges the audited tables of all capabilities. Throws RangeError if two capabilities audit one table. */
export function auditedOf(capabilities: readonly { readonly audited?: AuditedTables }[]): AuditedTables {
  const tables = capabilities.flatMap(({ audited = {} }) => Object.entries(audited));
  const byName = Object.fromEntries(tables);
  if (Object.keys(byName).length < tables.length) throw new RangeError('a table is audited twice');
  return byName;
}

/** `recorded` makes the triggers of the previous release leave these changes to this code. */
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

/** Returns no entry if no column has changed. */
function entriesOf(
  { table, before, after }: RowChange,
  audited: AuditedTable | undefined,
  { actorUserId, operation, requestId, at }: Writer & { readonly at: string },
): object[] {
  const row = after ?? before;
  if (!audited || !row) return [];
  const { id, fields, derived = [], organization = 'organization_id' } = audited;
  const changedFields = Object.keys(row).filter(
    (column) => !derived.includes(column) && !isDeepStrictEqual(before?.[column], after?.[column]),
  );
  if (changedFields.length === 0) return [];
  return [
    {
      organizationId: row[organization] ?? platformOrganizationId,
      entity: table,
      entityId: String(row[id]),
      action: before === null ? 'insert' : after === null ? 'delete' : 'update',
      changedFields: changedFields.sort(),
      before: before && pickFields(before, fields),
      after: after && pickFields(after, fields),
      actorUserId,
      operation,
      requestId,
      at,
    },
  ];
}

const pickFields = (image: Image, fields: readonly string[]): Image =>
  Object.fromEntries(fields.map((field) => [field, image[field] ?? null]));

/** The constraint that admits entries of reads. It exists from the contract phase of its migration on. */
const readsConstraint = 'audit_entry_action';

const databasesWithReads = new WeakSet<object>();

/** A positive answer is cached, since the constraint is never dropped while a process runs. */
async function acceptsReads(trx: Trx): Promise<boolean> {
  const { config } = trx.client;
  if (databasesWithReads.has(config)) return true;
  const found = await rowsOf(
    trx,
    "select 1 from pg_constraint where conrelid = 'audit_entry'::regclass and conname = :readsConstraint",
    { readsConstraint },
  );
  if (found.length > 0) databasesWithReads.add(config);
  return found.length > 0;
}

/**
 * Records who has read which documents: one entry for each person, document and hour of the Clock (UTC), none in demo
 * organizations. Rows are inserted in the order of the key, so that two requests of one person cannot deadlock.
 */
export async function recordReads(
  trx: Trx,
  { actorUserId, operation, requestId }: Writer,
  documents: readonly Disclosure[],
  now: Date,
): Promise<void> {
  if (!(await acceptsReads(trx))) return;
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
