// Use cases of organizations and schools.
import type { Trx } from '../../platform/db.ts';
import { violatedConstraint } from '../../platform/db.ts';
import { conflict, invalid } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { Organization, School, SchoolClass } from '../records/organizations.ts';

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

/** CONFLICT `slug_taken` when the slug belongs to another organization. */
export async function createOrganization(trx: Trx, input: NewOrganization, now: Date): Promise<Organization> {
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

/** CONFLICT `has_classes` while classes belong to the school, archived ones included: their history needs it. */
export async function deleteSchool(trx: Trx, school: School): Promise<void> {
  const [used] = await SchoolClass.query(trx).where({ schoolId: school.id }).limit(1).select('id');
  if (used) throw conflict('has_classes', 'The school still has classes.');
  try {
    await School.query(trx).deleteById(school.id);
  } catch (error) {
    if (violatedConstraint(error) === 'class_school_fk') throw conflict('has_classes', 'The school still has classes.');
    throw error;
  }
}
