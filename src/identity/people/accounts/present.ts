// People of an organization as responses for its administrators.
import type { Static } from 'typebox';
import { presentMerge, type StudentMerge } from '../merges/rows.ts';
import type { ParentStudent } from '../records/organizations.ts';
import type { User } from '../records/users.ts';
import type { PossibleDuplicates } from '../students/possible-duplicates.ts';

/** What only the answer to the creation of a student has. */
interface OfNewStudent {
  readonly quickCode: string | undefined;
  readonly possibleDuplicates: Static<typeof PossibleDuplicates> | undefined;
}

export const presentCreated = (user: User, { quickCode, possibleDuplicates }: OfNewStudent) => ({
  id: user.id,
  email: user.email,
  primaryPersona: user.primaryPersona,
  organizationId: user.organizationId,
  fullNameAr: user.fullNameAr,
  ...(quickCode !== undefined && { quickCode }),
  ...(possibleDuplicates !== undefined && { possibleDuplicates }),
});

export const presentPerson = (user: User) => ({
  id: user.id,
  email: user.email,
  fullNameAr: user.fullNameAr,
  primaryPersona: user.primaryPersona,
  organizationId: user.organizationId,
  status: user.status,
  seats: user.seats as 'HIGH_INTENSITY_SPECIALIST'[],
  locale: user.locale,
  externalId: user.externalId,
  createdAt: user.createdAt,
});

export const presentWithMerges = (user: User, merges: readonly StudentMerge[]) => ({
  ...presentPerson(user),
  merges: merges.map(presentMerge),
});

export const presentLink = (row: ParentStudent) => ({
  childId: row.childId,
  parentUserId: row.parentUserId,
  studentId: row.studentId,
});
