// Schemas of reads of schools and organizations.
import Type from 'typebox';
import {
  CalendarDate,
  Count,
  Cuid,
  IntegerId,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  SchoolYearName,
  Timestamp,
} from '#core/http/schemas.ts';
import { completionResults, fidelityGates } from '#support/interventions/index.ts';
import { quadrantNames } from '#support/rti/index.ts';
import { seasons } from '../enums.ts';
import { Aggregate, aggregateHead, SufficiencyAggregate } from '../schemas.ts';

/** A share from 0 to 1; null where there are no students or a count is suppressed. */
const Share = nullable(Type.Number({ minimum: 0, maximum: 1 }));
const TileCode = Type.String({ maxLength: 40, pattern: '^[A-Z]+(_[A-Z]+)*$' });

/** Coverage of the running season. That a child was measured is no result, so it is not suppressed. */
const Coverage = named('Coverage', object({ season: oneOf(seasons), measured: Count, share: Share }));

/**
 * Keys are `<delivery>_<response>`, values numbers of students with support; null means suppressed. Always released
 * counts, for every reader.
 */
const ResponseSquares = named(
  'ResponseSquares',
  object({
    ...aggregateHead,
    students: Count,
    counts: mapOf(`^(${quadrantNames.join('|')})$`, nullable(Count)),
    withoutSquare: nullable(Count),
    suppressed: Type.Boolean(),
  }),
);

export const SchoolOverview = named(
  'SchoolOverview',
  object({
    ...{ schoolId: Cuid, name: Type.String(), ...aggregateHead, classes: Count, students: Count },
    ...{ coverage: Coverage, sufficiency: SufficiencyAggregate, tiles: Type.Array(Aggregate) },
    squares: Type.Optional(ResponseSquares),
  }),
);

const { nameAr: _, ...cell } = Aggregate.properties;

export const SchoolHeatmap = named(
  'SchoolHeatmap',
  object({
    ...{ schoolId: Cuid, ...aggregateHead },
    columns: Type.Array(object({ tileCode: Type.String(), nameAr: Type.String() })),
    rows: Type.Array(
      object({
        ...{ classId: IntegerId, name: Type.String(), grade: Type.Integer({ minimum: 1, maximum: 4 }) },
        ...{ students: Count, cells: Type.Array(named('HeatmapCell', object(cell))) },
      }),
    ),
  }),
);

export const orgParams = object({ orgId: Cuid });

export const OrganizationOverview = named(
  'OrganizationOverview',
  object({
    ...{ orgId: Cuid, ...aggregateHead, schools: Count, classes: Count, students: Count },
    ...{ coverage: Coverage, tiles: Type.Array(Aggregate) },
    squares: Type.Optional(ResponseSquares),
  }),
);

/** `organizationId` is for callers who belong to no organization. */
export const EffectQuery = object({ schoolId: Type.Optional(Cuid), organizationId: Type.Optional(Cuid) });

const Shown = nullable(Count);

/** Children whose last assignment of a bundle was completed in the season, by outcome; null means suppressed. */
export const BundleEffect = named(
  'BundleEffect',
  object({
    ...{ bundle_id: Type.String(), schoolId: nullable(Cuid), ...aggregateHead },
    /** Students of the grades of the bundle. */
    students: Count,
    cells: Type.Array(
      object({ completionResult: oneOf(completionResults), gate: oneOf(fidelityGates), students: Shown }),
    ),
    withoutCompletion: Shown,
    suppressed: Type.Boolean(),
  }),
);

/** `squares` includes the released quadrants of support. */
export const OverviewQuery = object({ squares: Type.Optional(Type.Boolean()) });

const metrics = ['meets_share', 'support_share', 'measured_share'] as const;
export type Metric = (typeof metrics)[number];

export const ComparisonsQuery = object({ metric: oneOf(metrics), tileCode: Type.Optional(TileCode) });

export const OrganizationComparisons = named(
  'OrganizationComparisons',
  object({
    ...{ orgId: Cuid, metric: oneOf(metrics), tileCode: nullable(Type.String()), ...aggregateHead },
    items: Type.Array(
      object({ schoolId: Cuid, name: Type.String(), students: Count, value: Share, suppressed: Type.Boolean() }),
    ),
  }),
);

const Interval = Type.Literal('season');

export const TrendsQuery = object({
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  interval: Type.Optional(Interval),
});

export const OrganizationTrends = named(
  'OrganizationTrends',
  object({
    ...{ orgId: Cuid, interval: Interval, from: CalendarDate, to: CalendarDate },
    points: Type.Array(
      object({
        ...{ schoolYear: SchoolYearName, season: oneOf(seasons), releasedAt: Timestamp },
        ...{ ruleVersions: aggregateHead.ruleVersions, students: Count, tiles: Type.Array(Aggregate) },
      }),
    ),
  }),
);
