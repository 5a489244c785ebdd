// What stands about a student inside JSON of tables that are not about students: reports, traces, events. The columns
// come from the database itself, so that a new table cannot be forgotten.
import { besides, type Trx } from '#core/platform/db.ts';

/** Every object that names the student, wherever it stands in the document. */
const naming = 'strict $.** ? (@.studentId == $id || @.student_id == $id || @.studentIds[*] == $id)';

/**
 * By table, the objects that name the student; tables of `covered` are left out. Looks at the platform's rows too, whose
 * reports have examples of every organization: what is taken out of them names the student.
 */
export async function mentionsOf(
  trx: Trx,
  student: { readonly id: number },
  covered: ReadonlySet<string>,
): Promise<Record<string, object[]>> {
  return besides(trx, (reader) => mentionsIn(reader, student.id, covered));
}

async function mentionsIn(reader: Trx, id: number, covered: ReadonlySet<string>): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const { name, field } of await jsonColumns(reader)) {
    if (covered.has(name)) continue;
    const { rows } = await reader.raw('select jsonb_path_query(??::jsonb, ?::jsonpath, ?::jsonb) as value from ??', [
      field,
      naming,
      JSON.stringify({ id }),
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
