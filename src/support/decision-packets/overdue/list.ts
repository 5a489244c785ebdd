// What is overdue among the students in reach, and whom it waits for (contract 53 §1).
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { enterContext, type Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { School, SchoolClass } from '#identity/people/index.ts';
import { schoolCalendar } from '../../interventions/index.ts';
import { schoolDaysBetween } from '../../rti/index.ts';
import type { OverdueQuery, OverdueWork } from './schemas.ts';
import { inOrderOfList, type OverdueQuestion, type OverdueRow, overdueSources } from './sources.ts';

interface Asked {
  readonly services: Services;
  readonly trx: Trx;
  readonly actor: Actor;
  readonly query: OverdueQuery;
  readonly now: Date;
}

/**
 * The longest due first. Ids out of reach find nothing. Throws VALIDATION_ERROR for a caller of the platform who names neither
 * a school nor a class.
 */
export async function listOverdueWork(asked: Asked): Promise<Page<OverdueWork>> {
  const { services, trx, actor, query, now } = asked;
  const { limit = defaultLimit, cursor, classId = null, schoolId = null } = query;
  const after = keyInCursor(cursor, ['instant', 'string', 'string']);
  const organizationId = await askedOrganization(asked);
  if (organizationId === undefined) return { items: [], nextCursor: null };
  const question: OverdueQuestion = {
    ...{ organizationId, now, classId, schoolId, most: limit + 1 },
    teacherId: actor.persona === 'TEACHER' ? actor.userId : null,
    principalId: actor.persona === 'PRINCIPAL' ? actor.userId : null,
    after: after
      ? { dueOn: String(after[0]).slice(0, 'YYYY-MM-DD'.length), kind: String(after[1]), id: String(after[2]) }
      : null,
  };
  const rows: OverdueRow[] = [];
  for (const source of overdueSources) rows.push(...(await source(services, trx, question)));
  const inOrder = rows.sort(inOrderOfList).slice(0, limit + 1);
  return pageOf(inOrder, limit, ({ dueOn, kind, id }) => [`${dueOn}T00:00:00Z`, kind, id], present);
}

/** More than a class can hold. */
const mostOfClass = 1_000;

/** Overdue work of a class, for a caller who reaches all of it. */
export async function countOverdueWork(
  services: Services,
  trx: Trx,
  { organizationId, id: classId }: { readonly organizationId: string; readonly id: number },
  now: Date,
): Promise<number> {
  const anyReach = { teacherId: null, principalId: null, schoolId: null };
  const question: OverdueQuestion = { organizationId, now, classId, ...anyReach, after: null, most: mostOfClass };
  let count = 0;
  for (const source of overdueSources) count += (await source(services, trx, question)).length;
  return count;
}

/** The caller's organization, or that of the school or class which a caller of the platform names; undefined for an unknown one. */
async function askedOrganization({ trx, actor, query }: Asked): Promise<string | undefined> {
  if (actor.organizationId !== null) return actor.organizationId;
  const { schoolId, classId } = query;
  if (schoolId === undefined && classId === undefined) throw invalid('schoolId', 'required');
  const named =
    schoolId === undefined
      ? await SchoolClass.query(trx).where({ id: classId }).select('organizationId').first()
      : await School.query(trx).where({ id: schoolId }).select('organizationId').first();
  if (named) await enterContext(trx, { organizationId: named.organizationId });
  return named?.organizationId;
}

function present(row: OverdueRow): OverdueWork {
  const { kind, id, studentId, classId, dueOn, today, weekend, holidays } = row;
  const daysOverdue = schoolDaysBetween(schoolCalendar(weekend, holidays), dueOn, today);
  return { kind, id, studentId, classId, dueOn, daysOverdue, waitsFor: waitsFor(row) };
}

function waitsFor({ kind, needsSpecialist, hasTeacher }: OverdueRow): OverdueWork['waitsFor'] {
  if (kind === 'packet') return needsSpecialist ? 'specialist' : 'administrator';
  return hasTeacher ? 'teacher' : 'administrator';
}
