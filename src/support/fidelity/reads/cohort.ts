// Open assignments with low delivery, lowest rate first, read by the index of the newest counts.
import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { rowsOf } from '#core/platform/sql.ts';
import { Organization, School } from '#identity/people/index.ts';
import { interventionRules, openStates } from '../../interventions/index.ts';
import type { CohortQuery, LowFidelityCohort } from './schemas.ts';

type Cohort = Page<Static<typeof LowFidelityCohort>['items'][number]>;
type Query = Static<typeof CohortQuery>;

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly query: Query;
  readonly now: Date;
}

/** Rates have 4 decimals; cursors hold integers. */
const ratePrecision = 10_000;

/** Throws NOT_FOUND for an organization or a school that the caller does not see, and ENGINE_UNAVAILABLE. */
export async function lowFidelityCohort({ services, trx, actor, query, now }: Asked): Promise<Cohort> {
  const { limit = defaultLimit, cursor, schoolId } = query;
  const after = keyInCursor(cursor, ['number', 'string']);
  const organizationId = await askedOrganization(trx, actor, query);
  const { fidelity } = interventionRules((await services.rules.at(trx, now)).rules);
  const rows = await rowsOf<CohortRow>(trx, statement(organizationId, schoolId, after), {
    ...{ organizationId: organizationId ?? '', schoolId: schoolId ?? '', openStates: [...openStates] },
    ...{ minWeeks: query.minWeeks ?? fidelity.lowWeeks, most: limit + 1 },
    ...{ afterRate: Number(after?.[0] ?? 0) / ratePrecision, afterId: String(after?.[1] ?? '') },
  });
  return pageOf(rows, limit, ({ rate, assignmentId }) => [Math.round(rate * ratePrecision), assignmentId], present);
}

/** Undefined: all organizations. */
async function askedOrganization(trx: Trx, actor: Actor, { organizationId, schoolId }: Query) {
  const asked = organizationId ?? actor.organizationId ?? undefined;
  if (
    organizationId !== undefined &&
    !(await Organization.query(trx).where({ id: organizationId }).select('id').first())
  ) {
    throw notFound();
  }
  if (schoolId === undefined) return asked;
  const school: { organizationId: string } | undefined = await School.query(trx)
    .where({ id: schoolId, ...(asked !== undefined && { organizationId: asked }) })
    .select('organizationId')
    .first();
  if (!school) throw notFound();
  return school.organizationId;
}

interface CohortRow {
  readonly studentId: number;
  readonly classId: number;
  readonly schoolId: string;
  readonly assignmentId: string;
  readonly bundleId: string;
  readonly completeWeeks: number;
  readonly planned: number;
  readonly credited: number;
  readonly rate: number;
}

const statement = (organizationId: string | undefined, schoolId: string | undefined, after: unknown): string => `
  select f.student_id, a.class_id, c.school_id, f.assignment_id, a.bundle_id, f.complete_weeks, f.planned, f.credited, f.rate
  from fidelity_current f
  join bundle_assignment a on a.organization_id = f.organization_id and a.id = f.assignment_id
  join class c on c.organization_id = a.organization_id and c.id = a.class_id
  where f.open and f.gate = 'fail' and f.complete_weeks >= :minWeeks and a.state = any(:openStates::text[])
    ${organizationId === undefined ? '' : 'and f.organization_id = :organizationId'}
    ${schoolId === undefined ? '' : 'and c.school_id = :schoolId'}
    ${after === undefined ? '' : 'and (f.rate, f.assignment_id) > (:afterRate::numeric, :afterId)'}
  order by f.rate, f.assignment_id limit :most`;

const present = (row: CohortRow): Cohort['items'][number] => ({
  ...{ studentId: row.studentId, classId: row.classId, schoolId: row.schoolId, assignmentId: row.assignmentId },
  bundle_id: row.bundleId,
  ...{ completeWeeks: row.completeWeeks, planned: row.planned, credited: row.credited, rate: row.rate },
});
