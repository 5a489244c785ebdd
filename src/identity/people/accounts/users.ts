// Use cases of people: an administrator makes an account, closes it and opens it again.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { conflict, denied, invalid, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { attachTeacher } from '../classes/class-teachers.ts';
import { enroll } from '../classes/enrollment.ts';
import { hashPassword, requireFitPassword } from '../credentials/passwords.ts';
import { issueTo } from '../quick-codes/quick-codes.ts';
import { enterOrganization } from '../reach/enter.ts';
import { PrincipalSchool, School, SchoolClass } from '../records/organizations.ts';
import type { Persona } from '../records/permissions.ts';
import { nameForSignIn, normalEmail } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { revokeAllOf } from '../sessions/sessions.ts';
import { linkParent } from '../students/parent-links.ts';
import { givingEmail } from './email-conflicts.ts';
import { requireAnotherSuper } from './last-super.ts';
import type { NewUser } from './schemas.ts';

export interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/** Hashing takes long on purpose: before the transaction that writes, and with no connection held. */
export const hashOfNewPassword = async (password: string | undefined): Promise<string | undefined> =>
  password === undefined ? undefined : hashPassword(password);

/**
 * Makes the account and all that belongs to the persona, or nothing. `passwordHash` is that of the input's password.
 * RATE_LIMITED: see `givingEmail`.
 */
export function createUser(caller: Caller, input: NewUser, passwordHash: string | undefined): Promise<User> {
  if (input.email === undefined) return makeUser(caller, input, passwordHash);
  return givingEmail(caller, input.email, (trx) => makeUser({ ...caller, trx }, input, passwordHash));
}

async function makeUser(caller: Caller, input: NewUser, passwordHash: string | undefined): Promise<User> {
  const organizationId = await enterUsersOrganization(caller, input);
  const user = await insertUser(caller, input, { organizationId, passwordHash: passwordHash ?? null });
  if (organizationId !== null) await attachPersona(caller, { ...user, organizationId }, input);
  if (user.email !== null) await nameForSignIn(caller.trx, user, user.email);
  return user;
}

/** The code with which a new student signs in, shown this once; nobody else gets one. */
export async function firstQuickCode(
  { trx, services, now }: Caller & { services: Pick<Services, 'cipher'> },
  { id, organizationId, primaryPersona }: User,
): Promise<string | undefined> {
  if (primaryPersona !== 'STUDENT' || organizationId === null) return undefined;
  const [issued] = await issueTo({ trx, cipher: services.cipher, now }, [{ id, organizationId }]);
  return issued?.quickCode;
}

async function enterUsersOrganization(caller: Caller, input: NewUser): Promise<string | null> {
  if (input.primaryPersona === 'ADMIN' && input.scope === 'SUPER') {
    if (input.organizationId !== undefined) throw invalid('organizationId', 'is not accepted with scope SUPER');
    if (caller.actor.organizationId !== null) throw denied('Only a SUPER administrator makes another one.');
    return null;
  }
  if (input.organizationId === undefined) throw invalid('organizationId', 'is required');
  return (await enterOrganization(caller, input.organizationId)).id;
}

interface Place {
  readonly organizationId: string | null;
  readonly passwordHash: string | null;
}

async function insertUser(
  { trx, now }: Caller,
  input: NewUser,
  { organizationId, passwordHash }: Place,
): Promise<User> {
  const primaryPersona = input.primaryPersona.toUpperCase() as Persona;
  const email = input.email === undefined ? null : normalEmail(input.email);
  if (input.password !== undefined) requireFitPassword(input.password, { email, primaryPersona });
  try {
    return await User.query(trx).insertAndFetch({
      organizationId,
      scope: organizationId === null ? 'SUPER' : 'ORGANIZATION',
      primaryPersona,
      email,
      fullNameAr: input.fullNameAr,
      passwordHash,
      seats: input.primaryPersona === 'ADMIN' ? (input.seats ?? []) : [],
      externalId: input.primaryPersona === 'STUDENT' ? (input.externalId ?? null) : null,
      createdAt: now.toISOString(),
    });
  } catch (error) {
    throw uniqueRefusal(error);
  }
}

export function uniqueRefusal(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'app_user_external_id_unique') {
    return conflict('external_id_taken', 'Another user of the organization has this external id.', 'externalId');
  }
  return error;
}

type Tenant = User & { organizationId: string };

async function attachPersona(
  caller: Caller,
  user: Pick<Tenant, 'id' | 'organizationId'>,
  input: NewUser,
): Promise<void> {
  const { trx, now } = caller;
  if (input.primaryPersona === 'PRINCIPAL') await setSchools(trx, user, input.schoolIds);
  if (input.primaryPersona === 'TEACHER') {
    for (const row of await classesNamed(trx, input.classIds ?? [])) await attachTeacher(trx, row, user.id);
  }
  if (input.primaryPersona === 'PARENT') {
    const children = await studentsNamed(trx, input.studentIds ?? []);
    for (const child of children) await linkParent(trx, { id: child.id, organizationId: user.organizationId }, user.id);
  }
  if (input.primaryPersona === 'STUDENT') {
    const [row] = await classesNamed(trx, [input.classId]);
    if (row) await enroll(trx, row, [user.id], now);
  }
}

async function classesNamed(trx: Trx, ids: readonly number[]): Promise<SchoolClass[]> {
  const rows = await SchoolClass.query(trx)
    .whereIn('id', [...ids])
    .orderBy('id');
  if (rows.length !== ids.length) throw notFound();
  return rows;
}

async function studentsNamed(trx: Trx, ids: readonly number[]): Promise<User[]> {
  const rows = await User.query(trx)
    .whereIn('id', [...ids])
    .where({ primaryPersona: 'STUDENT' })
    .whereNot({ status: 'deleted' })
    .orderBy('id');
  if (rows.length !== ids.length) throw notFound();
  return rows;
}

export async function setSchools(
  trx: Trx,
  user: Pick<Tenant, 'id' | 'organizationId'>,
  schoolIds: readonly string[],
): Promise<void> {
  const named = School.query(trx)
    .whereIn('id', [...schoolIds])
    .orderBy('id');
  const found = await lockRows('school', 'exist', named).select('id');
  if (found.length !== schoolIds.length) throw notFound();
  const { id: principalUserId, organizationId } = user;
  await PrincipalSchool.query(trx).where({ principalUserId }).delete();
  await PrincipalSchool.query(trx).insert(schoolIds.map((schoolId) => ({ organizationId, principalUserId, schoolId })));
}

/** Ends all sessions at once, on every process. Nobody closes the own account. */
export async function deactivateUser({ trx, actor, now }: Caller, user: User): Promise<User> {
  if (user.id === actor.userId) throw conflict('own_account', 'You cannot deactivate your own account.');
  await requireAnotherSuper(trx, user);
  await requireLiving(trx, user);
  await revokeAllOf(trx, user.id, 'deactivated', now);
  return User.query(trx).patchAndFetchById(user.id, { status: 'inactive' });
}

export async function reactivateUser({ trx }: Caller, user: User): Promise<User> {
  await requireLiving(trx, user);
  return User.query(trx).patchAndFetchById(user.id, { status: 'active' });
}

/** Holds the row: who is erased at the same moment is erased before or after, and nothing is written onto the nameless. */
export async function requireLiving(trx: Trx, { id }: User): Promise<void> {
  if (!(await lockRows('account', 'change', User.query(trx).findById(id).whereNot({ status: 'deleted' }))))
    throw conflict('deleted', 'This person was erased.');
}
