// Every row of an organization, in every table that there is, beside what it was before.
import type { Db } from '#core/platform/db.ts';

/** Rows as JSON text, by table. */
type Snapshot = ReadonlyMap<string, readonly string[]>;

/** What a commit and its revert leave by themselves: who did what, what is to follow, and the two runs. */
const reportedForBoth: Readonly<Record<string, readonly string[] | 'all'>> = {
  audit_entry: 'all',
  outbox: 'all',
  lms_sync_run: 'all',
  lms_change: 'all',
  lms_preview: ['state', 'answer', 'run_id', 'committed_at'],
  lms_preview_row: ['user_id', 'facts'],
  lms_connection: ['last_sync_at'],
};

export async function snapshotOf(owner: Db, organizationId: string, except = reportedForBoth): Promise<Snapshot> {
  const { rows: tables } = await owner.raw(`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE' order by 1`);
  const snapshot = new Map<string, readonly string[]>();
  for (const { name } of tables as { name: string }[]) {
    const left = except[name] ?? [];
    if (left === 'all') continue;
    const { rows } = await owner.raw(
      'select (to_jsonb(t) - ?::text[])::text as row from ?? t where organization_id = ? order by 1',
      [[...left], name, organizationId],
    );
    snapshot.set(
      name,
      rows.map(({ row }: { row: string }) => row),
    );
  }
  return snapshot;
}

type Row = Readonly<Record<string, unknown>>;

/** By table, where there is a difference. */
export function differencesOf(before: Snapshot, after: Snapshot): Record<string, { gone: Row[]; come: Row[] }> {
  const without = (rows: readonly string[], others: readonly string[]) =>
    rows.filter((row) => !others.includes(row)).map((row): Row => JSON.parse(row));
  const tables = [...after.keys()].map((table) => {
    const [was, is] = [before.get(table) ?? [], after.get(table) ?? []];
    return [table, { gone: without(was, is), come: without(is, was) }] as const;
  });
  return Object.fromEntries(tables.filter(([, { gone, come }]) => gone.length + come.length > 0));
}
