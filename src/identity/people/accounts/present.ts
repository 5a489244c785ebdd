// People of an organization as responses for its administrators.
import type { ParentStudent } from '../records/organizations.ts';
import type { User } from '../records/users.ts';

export const presentCreated = (user: User, quickCode: string | undefined) => ({
  id: user.id,
  email: user.email,
  primaryPersona: user.primaryPersona,
  organizationId: user.organizationId,
  fullNameAr: user.fullNameAr,
  ...(quickCode !== undefined && { quickCode }),
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

export const presentLink = (row: ParentStudent) => ({
  childId: row.childId,
  parentUserId: row.parentUserId,
  studentId: row.studentId,
});
