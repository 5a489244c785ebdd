// An organization of a country's size with its counts and releases, inserted directly into the database: the number of rows
// matters, their values do not.

import type { Db } from '../../src/core/platform/db.ts';
import { effectBands } from '../../src/outcomes/aggregates/bundle-outcomes.ts';
import { countingCatalogue } from '../../src/outcomes/aggregates/catalogue.ts';
import { seasons, sufficiencyBands } from '../../src/outcomes/aggregates/enums.ts';
import { aggregateBands } from '../../src/outcomes/aggregates/rules/bands.ts';
import { loadNewestBundle } from '../../src/rules/rulesets/index.ts';
import { interventionRules, isAssignable } from '../../src/support/interventions/index.ts';
import { buildOrganization } from '../../tests/harness/factories.ts';

export interface Sizes {
  readonly schools: number;
  readonly classesOfSchool: number;
  readonly studentsOfClass: number;
  /** The number of local dates with counts. */
  readonly days: number;
  /** The school years with releases of the organization; for schools only the newest season. */
  readonly years: number;
}

export interface LargeOrganization {
  readonly organizationId: string;
  readonly schoolIds: readonly string[];
}

export async function buildLargeOrganization(owner: Db, sizes: Sizes): Promise<LargeOrganization> {
  const { id: organizationId } = await buildOrganization(owner);
  await people(owner, organizationId, sizes);
  await counts(owner, organizationId, sizes);
  await releases(owner, organizationId, sizes);
  await owner.raw('vacuum analyze');
  const schools: { id: string }[] = await owner('school').where({ organizationId }).orderBy('id').select('id');
  return { organizationId, schoolIds: schools.map(({ id }) => id) };
}

async function people(owner: Db, organizationId: string, sizes: Sizes): Promise<void> {
  const { schools, classesOfSchool, studentsOfClass } = sizes;
  const students = schools * classesOfSchool * studentsOfClass;
  await owner.raw(
    `insert into school (id, organization_id, name, country, created_at)
     select 'c' || substr(md5(:organizationId || n), 1, 23), :organizationId, 'مدرسة ' || n, 'SA', '2020-01-01'
     from generate_series(1, :schools::integer) n`,
    { organizationId, schools },
  );
  await owner.raw(
    `insert into class (organization_id, school_id, name, grade, academic_year, created_at)
     select s.organization_id, s.id, 'فصل ' || n, 1 + n % 4, '2026-2027', '2020-01-01'
     from school s cross join generate_series(1, :classesOfSchool::integer) n where s.organization_id = :organizationId`,
    { organizationId, classesOfSchool },
  );
  await owner.raw(
    `with person as (
       insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
       select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', '2020-01-01'
       from generate_series(1, :students::integer) returning id),
     numbered as (select id, row_number() over (order by id) as position from person),
     home as (select id, row_number() over (order by id) as position from class where organization_id = :organizationId)
     insert into enrollment (organization_id, student_id, class_id, enrolled_from)
     select :organizationId, n.id, h.id, '2020-01-01'
     from numbered n join home h on h.position = (n.position - 1) / :studentsOfClass::integer + 1`,
    { organizationId, students, studentsOfClass },
  );
}

async function counts(owner: Db, organizationId: string, { days, studentsOfClass }: Sizes): Promise<void> {
  const { tiles } = await subjects();
  const bindings = { organizationId, days, size: studentsOfClass, tiles: [...tiles] };
  await owner.raw(
    'insert into org_rollup (organization_id, day) select :organizationId, current_date where :days::integer > 0',
    bindings,
  );
  const ofDays = `select c.organization_id, current_date - ago as day, c.id as class_id, c.school_id,
      case when ago > 0 then now() + interval '1 month' end as kept_until
    from class c cross join generate_series(0, :days::integer - 1) ago where c.organization_id = :organizationId`;
  await owner.raw(
    `insert into org_daily_class (organization_id, day, class_id, school_id, students, measured, sufficient, insufficient,
       contextual, as_of, rule_versions, kept_until)
     select d.organization_id, d.day, d.class_id, d.school_id, :size, '{"BOY": 7, "MOY": 11, "EOY": 0}', 4,
       :size::integer - 4, 0, now(), '{"ssr/ssr": 4}', d.kept_until from (${ofDays}) d`,
    bindings,
  );
  await owner.raw(
    `insert into org_daily_rollup (organization_id, day, class_id, tile_code, students, meets, approaching, below, severe,
       more_data, kept_until)
     select d.organization_id, d.day, d.class_id, tile.code, :size, 4, 3, 2, 1, :size::integer - 10, d.kept_until
     from (${ofDays}) d cross join unnest(:tiles::text[]) as tile (code)`,
    bindings,
  );
}

async function subjects() {
  const rules = await loadNewestBundle('rules');
  const { bundles } = interventionRules(rules).recommendation.catalogue;
  return {
    tiles: countingCatalogue(rules).tiles.map(({ tileCode }) => tileCode),
    bundles: bundles.filter(({ objectType }) => isAssignable(objectType)).map(({ bundle_id }) => bundle_id),
  };
}

/** Releases the organization in each season, and its schools and classes in the newest. */
async function releases(owner: Db, organizationId: string, { years }: Sizes): Promise<void> {
  const { tiles, bundles } = await subjects();
  const cells = [
    ...tiles.map((subject) => ({ space: 'tile', subject, bands: aggregateBands })),
    { space: 'sufficiency', subject: '', bands: sufficiencyBands },
    ...bundles.map((subject) => ({ space: 'bundle_effect', subject, bands: effectBands })),
    { space: 'square', subject: '', bands: ['pass_above', 'fail_below', 'none'] },
  ].map(({ bands, ...cell }) => ({ ...cell, counts: Object.fromEntries(bands.map((band, at) => [band, 5 + at])) }));
  const bindings = { organizationId, years, seasons: [...seasons], cells: JSON.stringify(cells) };
  await owner.raw(
    `insert into aggregate_release (id, organization_id, school_year, season, unit, unit_id, released_at, as_of,
       rule_versions)
     select 'c' || substr(md5(u.id || y || s.season), 1, 23), :organizationId, y || '-' || y + 1, s.season, u.unit, u.id,
       make_timestamptz(y, 11, 30, 23, 0, 0) + (s.position - 1) * interval '4 months', now(), '{"ssr/ssr": 4}'
     from generate_series(2026 - :years::integer, 2025) y
     cross join unnest(:seasons::text[]) with ordinality as s (season, position)
     join (select 'organization' as unit, :organizationId as id
       union all select 'school', id from school where organization_id = :organizationId) u
       on u.unit = 'organization' or (y = 2025 and s.position = cardinality(:seasons::text[]))`,
    bindings,
  );
  await owner.raw(
    `insert into aggregate_cell (organization_id, school_year, season, unit, unit_id, space, subject, release_id, students,
       counts, suppressed)
     select r.organization_id, r.school_year, r.season, u.unit, u.id, c.space, c.subject, r.id, 200, c.counts, false
     from aggregate_release r
     cross join lateral (select r.unit as unit, r.unit_id as id
       union all select 'class', k.id::text from class k
         where r.unit = 'school' and k.organization_id = r.organization_id and k.school_id = r.unit_id) u
     cross join jsonb_to_recordset(:cells::jsonb) as c (space text, subject text, counts jsonb)
     where r.organization_id = :organizationId`,
    bindings,
  );
}
