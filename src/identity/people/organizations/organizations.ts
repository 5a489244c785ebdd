// Creation, change and removal of organizations and schools.
import { appendEvents, newEvent } from '#core/module/events.ts';
import type { Trx } from '#core/platform/db.ts';
import { violatedConstraint } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { Organization, PrincipalSchool, School, SchoolClass, SchoolRollOver } from '../records/organizations.ts';
import { calendarChanged } from './events.ts';

export interface NewOrganization {
  readonly name: string;
  readonly slug: string;
  readonly country: string;
  readonly defaultLocale: string;
  readonly isDemo?: boolean;
  readonly allowedGoogleDomains?: string[];
  readonly timeZone?: string;
  readonly weekend?: number[];
}

/**
 * Throws VALIDATION_ERROR for a time zone that the database does not know: its list may be older than that of the process,
 * and dates are computed by both.
 */
async function requireKnownZone(trx: Trx, timeZone: string | null | undefined): Promise<void> {
  if (timeZone === null || timeZone === undefined) return;
  try {
    await trx.transaction((savepoint) => savepoint.raw("select timestamptz 'epoch' at time zone ?", [timeZone]));
  } catch (error) {
    if (isUnknownZone(error)) throw invalid('timeZone', 'is not known to the database');
    throw error;
  }
}

/** SQLSTATE invalid_parameter_value. */
const isUnknownZone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '22023';

/** Throws CONFLICT `slug_taken` when another organization has the slug. */
export async function createOrganization(trx: Trx, input: NewOrganization, now: Date): Promise<Organization> {
  await requireKnownZone(trx, input.timeZone);
  try {
    return await Organization.query(trx).insertAndFetch({ ...input, id: newId(), createdAt: now.toISOString() });
  } catch (error) {
    if (violatedConstraint(error) === 'organization_slug_unique') throw slugTaken();
    throw error;
  }
}

const slugTaken = () => conflict('slug_taken', 'Another organization already uses this slug.', 'slug');

export interface NewSchool {
  readonly name: string;
  readonly country: string;
}

export async function createSchool(trx: Trx, organization: Organization, input: NewSchool, now: Date): Promise<School> {
  if (input.country !== organization.country) {
    throw invalid('country', `must be ${organization.country}, the country of the organization`);
  }
  const { name, country } = input;
  return School.query(trx).insertAndFetch({
    id: newId(),
    organizationId: organization.id,
    name,
    country,
    createdAt: now.toISOString(),
  });
}

/** Locks the row first, so that the record of changes contains the previous value even for concurrent changes. */
export async function updateOrganization(
  trx: Trx,
  { id }: Organization,
  change: Partial<Organization>,
  now: Date,
): Promise<Organization> {
  const locked = await lockRows('organization', 'change', Organization.query(trx).findById(id));
  if (!locked) throw notFound();
  const { timeZone } = locked;
  if (change.timeZone !== timeZone) await requireKnownZone(trx, change.timeZone);
  const changed = await locked.$query(trx).patchAndFetch(change);
  if (changed.timeZone !== timeZone) {
    await appendEvents(trx, now, [newEvent(calendarChanged, id, { schoolId: null })]);
  }
  return changed;
}

/** Locks the row first, see `updateOrganization`. */
export async function updateSchool(trx: Trx, { id }: School, change: Partial<School>, now: Date): Promise<School> {
  const locked = await lockRows('school', 'change', School.query(trx).findById(id));
  if (!locked) throw notFound();
  const { timeZone } = locked;
  if (change.timeZone !== timeZone) await requireKnownZone(trx, change.timeZone);
  const changed = await locked.$query(trx).patchAndFetch(change);
  if (changed.timeZone !== timeZone) {
    await appendEvents(trx, now, [newEvent(calendarChanged, locked.organizationId, { schoolId: id })]);
  }
  return changed;
}

/** Throws CONFLICT `has_classes` while the school has classes, including archived ones, whose history refers to it. */
export async function deleteSchool(trx: Trx, school: School): Promise<void> {
  if (!(await lockRows('school', 'remove', School.query(trx).findById(school.id)))) throw notFound();
  const [used] = await SchoolClass.query(trx).where({ schoolId: school.id }).limit(1).select('id');
  if (used) throw conflict('has_classes', 'The school still has classes.');
  // Deleted explicitly: the record of changes does not see rows that a foreign key removes.
  await PrincipalSchool.query(trx).where({ schoolId: school.id }).delete();
  await SchoolRollOver.query(trx).where({ organizationId: school.organizationId, schoolId: school.id }).delete();
  try {
    await School.query(trx).deleteById(school.id);
  } catch (error) {
    if (violatedConstraint(error) === 'class_school_fk') throw conflict('has_classes', 'The school still has classes.');
    throw error;
  }
}
