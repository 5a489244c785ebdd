// Writes the rows of counted classes. A class without students has no row, so that incremental and full counts give
// equal rows.
import type { Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { ClassCounts } from './counting/count.ts';

interface Written {
  readonly organizationId: string;
  /** Local date. */
  readonly day: string;
  /** Classes that were counted; those without students are not in `counts`. */
  readonly classIds: readonly number[];
  readonly counts: readonly ClassCounts[];
}

export async function writeCounts(trx: Trx, written: Written): Promise<void> {
  await Promise.all([writeClasses(trx, written), writeTiles(trx, written)]);
}

async function writeClasses(trx: Trx, { organizationId, day, classIds, counts }: Written): Promise<void> {
  const rows = counts.map(({ classId, schoolId, students, measured, sufficiency, asOf, ruleVersions }) => ({
    ...{ class_id: classId, school_id: schoolId, students, measured, ...sufficiency },
    ...{ as_of: asOf, rule_versions: ruleVersions },
  }));
  await trx.raw(
    `with gone as (delete from org_daily_class d
       where d.organization_id = :organizationId and d.day = :day::date and d.class_id = any(:emptied::bigint[]))
     insert into org_daily_class as d (organization_id, day, class_id, school_id, students, measured, sufficient,
       insufficient, contextual, as_of, rule_versions)
     select :organizationId, :day::date, r.class_id, r.school_id, r.students, r.measured, r.sufficient,
       r.insufficient, r.contextual, r.as_of, r.rule_versions
     from jsonb_populate_recordset(null::org_daily_class, :rows::jsonb) r
     on conflict (organization_id, day, class_id) do update set
       students = excluded.students, measured = excluded.measured, sufficient = excluded.sufficient,
       insufficient = excluded.insufficient, contextual = excluded.contextual, as_of = excluded.as_of,
       rule_versions = excluded.rule_versions`,
    { organizationId, day, emptied: emptiedOf(classIds, counts), rows: JSON.stringify(rows) },
  );
}

/** Rows of tiles that are no longer in the catalogue are deleted. */
async function writeTiles(trx: Trx, { organizationId, day, classIds, counts }: Written): Promise<void> {
  const rows = counts.flatMap(({ classId, tiles }) =>
    tiles.map(({ tileCode, students, counts: of }) => ({
      ...{ class_id: classId, tile_code: tileCode, students },
      ...{ meets: of.Meets, approaching: of.Approaching, below: of.Below, severe: of.Severe, more_data: of.More_Data },
    })),
  );
  await trx.raw(
    `with fresh as (select * from jsonb_populate_recordset(null::org_daily_rollup, :rows::jsonb)),
     gone as (delete from org_daily_rollup d
       where d.organization_id = :organizationId and d.day = :day::date and d.class_id = any(:classIds::bigint[])
         and not exists (select from fresh f where f.class_id = d.class_id and f.tile_code = d.tile_code))
     insert into org_daily_rollup as d (organization_id, day, class_id, tile_code, students, meets, approaching,
       below, severe, more_data)
     select :organizationId, :day::date, r.class_id, r.tile_code, r.students, r.meets, r.approaching, r.below,
       r.severe, r.more_data from fresh r
     on conflict (organization_id, day, class_id, tile_code) do update set
       students = excluded.students, meets = excluded.meets, approaching = excluded.approaching,
       below = excluded.below, severe = excluded.severe, more_data = excluded.more_data`,
    { organizationId, day, classIds: [...classIds], rows: JSON.stringify(rows) },
  );
}

function emptiedOf(classIds: readonly number[], counts: readonly ClassCounts[]): number[] {
  const filled = new Set(counts.map(({ classId }) => classId));
  return classIds.filter((id) => !filled.has(id));
}

/** Number of days for which the counts of a past day are kept. */
const keptDays = 35;

/**
 * Returns the current local date of the counts. When a new day begins, its rows start as copies of the last ones, and
 * the old rows get their retention date. A date in the past changes nothing. The caller holds the organization's lock.
 */
export async function beginDay(trx: Trx, organizationId: string, date: string, now: Date): Promise<string> {
  const [present] = await rowsOf<{ day: string }>(
    trx,
    'select day from org_rollup where organization_id = :organizationId',
    { organizationId },
  );
  if (present && present.day >= date) return present.day;
  await trx.raw(
    `insert into org_rollup (organization_id, day) values (:organizationId, :date)
     on conflict (organization_id) do update set day = excluded.day`,
    { organizationId, date },
  );
  const keptUntil = new Date(now.getTime() + keptDays * dayMs).toISOString();
  if (present) await carryOver(trx, { organizationId, from: present.day, to: date, keptUntil });
  return date;
}

interface Carried {
  readonly organizationId: string;
  readonly from: string;
  readonly to: string;
  readonly keptUntil: string;
}

async function carryOver(trx: Trx, carried: Carried): Promise<void> {
  for (const [table, columns] of carriedColumns) {
    await trx.raw(
      `with ended as (update ${table} set kept_until = :keptUntil
         where organization_id = :organizationId and day = :from::date returning ${columns})
       insert into ${table} (organization_id, day, ${columns}) select :organizationId, :to::date, ${columns} from ended`,
      { ...carried },
    );
  }
}

const carriedColumns = [
  [
    'org_daily_class',
    'class_id, school_id, students, measured, sufficient, insufficient, contextual, as_of, rule_versions',
  ],
  ['org_daily_rollup', 'class_id, tile_code, students, meets, approaching, below, severe, more_data'],
] as const;
