// The current counts of a school, class by class, as the roll-up worker has stored them.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';

/** Counts follow in the order of `countOrder`. */
type TileNumbers = readonly [students: number, ...counts: number[]];

/** All numbers of a class without students are 0. */
export interface ClassNow {
  readonly classId: number;
  readonly name: string;
  readonly grade: number;
  readonly students: number;
  /** Keyed by season. */
  readonly measured: Readonly<Record<string, number>>;
  readonly sufficient: number;
  readonly insufficient: number;
  readonly contextual: number;
  /** ISO 8601; null without a run. */
  readonly asOf: string | null;
  readonly ruleVersions: Readonly<Record<string, number>>;
  /** Keyed by tile code. */
  readonly tiles: Readonly<Record<string, TileNumbers>>;
}

export interface SchoolClassesNow {
  /** IANA name. */
  readonly timeZone: string;
  /** Sorted by grade, name and id, without archived classes. */
  readonly classes: readonly ClassNow[];
}

type Row = { readonly timeZone: string } & (ClassNow | { readonly classId: null });

export async function schoolNow(trx: Trx, organizationId: string, schoolId: string): Promise<SchoolClassesNow> {
  const rows = await rowsOf<Row>(trx, statement, { organizationId, schoolId });
  const classes = rows.flatMap(({ timeZone: _, ...row }) => (row.classId === null ? [] : row));
  return { timeZone: rows[0]?.timeZone ?? 'UTC', classes: classes.toSorted(inOrder) };
}

const byName = new Intl.Collator('ar').compare;
const inOrder = (one: ClassNow, other: ClassNow): number =>
  one.grade - other.grade || byName(one.name, other.name) || one.classId - other.classId;

const statement = `
  select coalesce(s.time_zone, o.time_zone) as time_zone, c.id as class_id, c.name, c.grade,
    coalesce(d.students, 0) as students, coalesce(d.measured, '{}') as measured,
    coalesce(d.sufficient, 0) as sufficient, coalesce(d.insufficient, 0) as insufficient,
    coalesce(d.contextual, 0) as contextual, d.as_of, coalesce(d.rule_versions, '{}') as rule_versions,
    coalesce(t.tiles, '{}') as tiles
  from school s
  join organization o on o.id = s.organization_id
  left join class c on c.organization_id = s.organization_id and c.school_id = s.id and c.archived_at is null
  left join org_rollup r on r.organization_id = s.organization_id
  left join org_daily_class d on d.organization_id = s.organization_id and d.day = r.day and d.class_id = c.id
  left join lateral (
    select jsonb_object_agg(t.tile_code,
      jsonb_build_array(t.students, t.meets, t.approaching, t.below, t.severe, t.more_data)) as tiles
    from org_daily_rollup t
    where t.organization_id = s.organization_id and t.day = r.day and t.class_id = c.id) t on true
  where s.organization_id = :organizationId and s.id = :schoolId`;

/** Returns the moment and rule versions of the newest run that the classes contain. */
export function newestRunOf(classes: readonly ClassNow[]): Pick<ClassNow, 'asOf' | 'ruleVersions'> {
  const heard = classes.filter(({ asOf }) => asOf !== null);
  const [newest] = heard.toSorted((one, other) => String(other.asOf).localeCompare(String(one.asOf)));
  return { asOf: newest?.asOf ?? null, ruleVersions: { ...newest?.ruleVersions } };
}

export const sumOf = <T>(list: readonly T[], numberOf: (one: T) => number): number =>
  list.reduce((sum, one) => sum + numberOf(one), 0);
