// Data about a student inside JSON columns of tables that are not about students: reports, traces, events. The columns are
// read from the database catalog, so that a new table is included automatically.
import { besides, type Trx } from '#core/platform/db.ts';

/** Every object, at any depth, that contains one of the student's ids. */
const mentionPath = 'strict $.** ? (@.studentId == $ids[*] || @.student_id == $ids[*] || @.studentIds[*] == $ids[*])';

/**
 * Returns the objects that name the student, by table, except for the tables in `covered`. Platform rows are included,
 * because their reports contain examples from all organizations; only the objects that name the student are returned.
 */
export async function mentionsOf(
  trx: Trx,
  studentIds: readonly number[],
  covered: ReadonlySet<string>,
): Promise<Record<string, object[]>> {
  return besides(trx, (reader) => mentionsIn(reader, studentIds, covered));
}

async function mentionsIn(
  reader: Trx,
  ids: readonly number[],
  covered: ReadonlySet<string>,
): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const { name, field } of await jsonColumns(reader)) {
    if (covered.has(name)) continue;
    const { rows } = await reader.raw('select jsonb_path_query(??::jsonb, ?::jsonpath, ?::jsonb) as value from ??', [
      field,
      mentionPath,
      JSON.stringify({ ids }),
      name,
    ]);
    const values = (rows as { value: object }[]).map(({ value }) => value);
    if (values.length > 0) found[name] = [...(found[name] ?? []), ...values];
  }
  return found;
}

async function jsonColumns(trx: Trx): Promise<{ name: string; field: string }[]> {
  const { rows } = await trx.raw(`
    select table_name as name, column_name as field from information_schema.columns
    where table_schema = 'public' and data_type in ('json', 'jsonb') order by 1, 2`);
  return rows;
}
