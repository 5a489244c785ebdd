// The archive of everything that is stored about a student. Each capability declares its tables once; a test fails for a
// table that is not declared.
import type { Trx } from '#core/platform/db.ts';
import { ledgerNumber } from '#core/platform/pure/ledger-number.ts';
import { accountsMergedInto } from '../merges/merged-into.ts';
import { mentionsOf } from './mentions.ts';

/** The rows of a table about a student, selected by the table's own column or through a parent table. */
export type StudentRows =
  | {
      readonly table: string;
      readonly student: string;
      readonly without?: readonly string[];
      /** True when rows of other people may name the student in their JSON columns. */
      readonly othersToo?: true;
    }
  | { readonly table: 'audit_entry'; readonly entities: readonly string[] }
  | {
      readonly table: string;
      readonly parent: string;
      readonly parentKey: string;
      readonly key: string;
      /** A further condition on the table's rows. */
      readonly of?: Readonly<Record<string, string>>;
    };

export interface PersonalDataSection {
  readonly name: string;
  readonly tables: readonly StudentRows[];
}

export interface StudentArchive {
  readonly studentId: number;
  readonly exportedAt: string;
  readonly sections: Record<string, Record<string, object[]>>;
}

/** Returns all rows of all sections as stored, without hashes of secrets; those of accounts that were merged into the student's too. */
export async function exportStudent(
  trx: Trx,
  student: { readonly id: number; readonly organizationId: string },
  sections: readonly PersonalDataSection[],
  now: Date,
): Promise<StudentArchive> {
  const { id: studentId } = student;
  const studentIds = [studentId, ...(await accountsMergedInto(trx, student))];
  const archive: StudentArchive['sections'] = {};
  for (const { name, tables } of sections) {
    const rows: Record<string, object[]> = {};
    for (const source of tables) rows[source.table] = await rowsOf(trx, source, studentIds);
    archive[name] = rows;
  }
  const sources = sections.flatMap(({ tables }) => tables);
  const covered = new Set(sources.filter((source) => !('othersToo' in source)).map(({ table }) => table));
  archive.mentions = await mentionsOf(trx, studentIds, covered);
  return { studentId, exportedAt: now.toISOString(), sections: archive };
}

async function rowsOf(trx: Trx, source: StudentRows, studentIds: readonly number[]): Promise<object[]> {
  const rows: Record<string, unknown>[] = await query(trx, source, studentIds);
  const hidden: readonly string[] = [ledgerNumber, ...('without' in source ? (source.without ?? []) : [])];
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([column]) => !hidden.includes(column))
        .map(([column, value]) => [column, column === 'changedFields' ? withoutHashes(value) : value]),
    ),
  );
}

/** Removes the columns of secrets from the names of changed columns. */
const withoutHashes = (columns: unknown) =>
  (columns as readonly string[]).filter((column) => !column.endsWith('_hash'));

function query(trx: Trx, source: StudentRows, studentIds: readonly number[]) {
  if ('student' in source)
    return trx(source.table)
      .whereIn(source.student, [...studentIds])
      .select('*');
  if ('entities' in source)
    return trx(source.table)
      .whereIn('entity', [...source.entities])
      .whereIn('entityId', studentIds.map(String))
      .select('*');
  const parents = trx(source.parent)
    .whereIn('studentId', [...studentIds])
    .select(source.parentKey);
  return trx(source.table)
    .where(source.of ?? {})
    .whereIn(source.key, parents)
    .select('*');
}
