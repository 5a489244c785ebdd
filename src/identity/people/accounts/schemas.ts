// Request and response schemas of people: one request body per persona.
import Type, { type Static } from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, pageQuery, Timestamp } from '#core/http/schemas.ts';
import {
  Email,
  FactorCode,
  FullNameAr,
  NewAdminPassword,
  NewPassword,
  PersonaName,
  TriedPassword,
} from '../credentials/schemas.ts';
import { MergeView } from '../merges/rows.ts';
import { userStatuses } from '../records/enums.ts';
import { personas } from '../records/permissions.ts';
import { PossibleDuplicates } from '../students/possible-duplicates.ts';

const Seat = named('Seat', oneOf(['HIGH_INTENSITY_SPECIALIST']));
const Seats = Type.Array(Seat, { uniqueItems: true, maxItems: 10 });
const Ids = (max: number) => Type.Array(IntegerId, { uniqueItems: true, maxItems: max });
const ExternalId = named('ExternalId', Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._:-]+$' }));
const credentials = { email: Email, password: NewPassword };
const inOrganization = { fullNameAr: FullNameAr, organizationId: Cuid };

const AdminBody = named(
  'AdminBody',
  object({
    primaryPersona: Type.Literal('ADMIN'),
    fullNameAr: FullNameAr,
    email: Email,
    password: NewAdminPassword,
    organizationId: Type.Optional(Cuid),
    scope: Type.Optional(Type.Literal('SUPER')),
    seats: Type.Optional(Seats),
  }),
);
const ManagerBody = named(
  'ManagerBody',
  object({ primaryPersona: oneOf(['MANAGER', 'manager']), ...inOrganization, ...credentials }),
);
const PrincipalBody = named(
  'PrincipalBody',
  object({
    primaryPersona: Type.Literal('PRINCIPAL'),
    ...inOrganization,
    ...credentials,
    schoolIds: Type.Array(Cuid, { minItems: 1, maxItems: 100, uniqueItems: true }),
  }),
);
const TeacherBody = named(
  'TeacherBody',
  object({
    primaryPersona: Type.Literal('TEACHER'),
    ...inOrganization,
    ...credentials,
    classIds: Type.Optional(Ids(50)),
  }),
);
const ParentBody = named(
  'ParentBody',
  object({
    primaryPersona: Type.Literal('PARENT'),
    ...inOrganization,
    ...credentials,
    studentIds: Type.Optional(Ids(20)),
  }),
);
const StudentBody = named(
  'StudentBody',
  object(
    {
      primaryPersona: Type.Literal('STUDENT'),
      ...inOrganization,
      classId: IntegerId,
      email: Type.Optional(Email),
      password: Type.Optional(NewPassword),
      externalId: Type.Optional(ExternalId),
    },
    { dependentRequired: { email: ['password'], password: ['email'] } },
  ),
);

const bodies = [AdminBody, ManagerBody, PrincipalBody, TeacherBody, ParentBody, StudentBody] as const;
export type NewUser = Static<(typeof bodies)[number]>;

/** A union discriminated by `primaryPersona`, so that a validation error names the fields of that persona only. */
export const NewUserBody = named(
  'NewUserBody',
  Type.Unsafe<NewUser>({
    type: 'object',
    required: ['primaryPersona'],
    discriminator: { propertyName: 'primaryPersona' },
    oneOf: [...bodies],
  }),
);

export const UserPatch = named(
  'UserPatch',
  object(
    {
      fullNameAr: Type.Optional(FullNameAr),
      email: Type.Optional(Email),
      password: Type.Optional(NewPassword),
      locale: Type.Optional(Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' })),
      seats: Type.Optional(Seats),
      schoolIds: Type.Optional(Type.Array(Cuid, { minItems: 1, maxItems: 100, uniqueItems: true })),
      /** Required when a SUPER administrator changes their own `email`. */
      currentPassword: Type.Optional(TriedPassword),
      totp: Type.Optional(FactorCode),
    },
    { minProperties: 1, dependentRequired: { currentPassword: ['email'], totp: ['currentPassword'] } },
  ),
);

export const UserCreated = named(
  'UserCreated',
  object({
    id: IntegerId,
    email: nullable(Type.String()),
    primaryPersona: PersonaName,
    organizationId: nullable(Cuid),
    fullNameAr: nullable(Type.String()),
    /** Only for a STUDENT, and only in this response. */
    quickCode: Type.Optional(Type.String()),
    /** Only for a STUDENT: who may be the same child. */
    possibleDuplicates: Type.Optional(PossibleDuplicates),
  }),
);

const userFields = {
  id: IntegerId,
  email: nullable(Type.String()),
  fullNameAr: nullable(Type.String()),
  primaryPersona: PersonaName,
  organizationId: nullable(Cuid),
  status: oneOf(userStatuses),
  seats: Seats,
  locale: nullable(Type.String()),
  externalId: nullable(Type.String()),
  createdAt: Timestamp,
};

export const UserView = named('User', object(userFields));

/** One person; `merges` are those of a student's account, of both directions, newest first. */
export const UserWithMerges = named('UserWithMerges', object({ ...userFields, merges: Type.Array(MergeView) }));

export const UserListQuery = named(
  'UserListQuery',
  object({
    ...pageQuery,
    organizationId: Type.Optional(Cuid),
    persona: Type.Optional(oneOf(personas)),
    status: Type.Optional(oneOf(userStatuses)),
    schoolId: Type.Optional(Cuid),
    classId: Type.Optional(IntegerId),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
);
export type UserFilter = Static<typeof UserListQuery>;

export const LinkParentBody = named('LinkParentBody', object({ parentUserId: IntegerId }));
export const LinkView = named('Link', object({ childId: Cuid, parentUserId: IntegerId, studentId: IntegerId }));
