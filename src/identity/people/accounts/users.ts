// Creation, deactivation and reactivation of accounts by an administrator.
import type { Actor } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { conflict, denied, invalid, notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { revokeAllOf } from '../auth-sessions/auth-sessions.ts';
import { attachTeacher } from '../classes/class-teachers.ts';
import { enroll } from '../classes/enrollment.ts';
import { hashPassword, requireFitPassword } from '../credentials/passwords.ts';
import { issueToLocked } from '../quick-codes/quick-codes.ts';
import { enterOrganization } from '../reach/enter.ts';
import { PrincipalSchool, School, SchoolClass } from '../records/organizations.ts';
import type { Persona } from '../records/permissions.ts';
import { normalEmail, setSignInEmail } from '../records/sign-in-names.ts';
import { User } from '../records/users.ts';
import { mergedRefusal } from '../students/merged.ts';
import { linkParent } from '../students/parent-links.ts';
import { possibleDuplicates } from '../students/possible-duplicates.ts';
import { withEmailConflictLimit } from './email-conflicts.ts';
import { requireAnotherSuper } from './last-super.ts';
import type { NewUser } from './schemas.ts';

export interface Caller {
  readonly trx: Trx;
  readonly actor: Actor;
  readonly now: Date;
}

/** Hashing is slow by design: call it before the writing transaction, without a database connection. */
export const hashNewPassword = async (password: string | undefined): Promise<string | undefined> =>
  password === undefined ? undefined : hashPassword(password);

/**
 * Creates the account with the rows of its persona. `passwordHash` is the hash of the input's password. Throws RATE_LIMITED,
 * see `withEmailConflictLimit`.
 */
export function createUser(caller: Caller, input: NewUser, passwordHash: string | undefined): Promise<User> {
  if (input.email === undefined) return createUserWithPersona(caller, input, passwordHash);
  return withEmailConflictLimit(caller, input.email, (trx) =>
    createUserWithPersona({ ...caller, trx }, input, passwordHash),
  );
}

async function createUserWithPersona(caller: Caller, input: NewUser, passwordHash: string | undefined): Promise<User> {
  const organizationId = await enterUsersOrganization(caller, input);
  const user = await insertUser(caller, input, { organizationId, passwordHash: passwordHash ?? null });
  if (organizationId !== null) await attachPersona(caller, { ...user, organizationId }, input);
  if (user.email !== null) await setSignInEmail(caller.trx, user, user.email);
  return user;
}

/** Issues a quick code for a new student; returns undefined for other personas. The code is shown only this once. */
export async function firstQuickCode(
  { trx, services, now }: Caller & { services: Pick<Services, 'cipher'> },
  { id, organizationId, primaryPersona }: User,
): Promise<string | undefined> {
  if (primaryPersona !== 'STUDENT' || organizationId === null) return undefined;
  const [issued] = await issueToLocked({ trx, cipher: services.cipher, now }, [{ id, organizationId }]);
  return issued?.quickCode;
}

/** Returns who may be the same child as a new student; undefined for other personas. */
export async function duplicatesOfNew({ trx }: Pick<Caller, 'trx'>, user: User, input: NewUser) {
  if (input.primaryPersona !== 'STUDENT' || user.organizationId === null) return undefined;
  const grades = (await classesNamed(trx, [input.classId])).map(({ grade }) => grade);
  const student = { fullNameAr: input.fullNameAr, grades, ownId: user.id };
  const [hints] = await possibleDuplicates(trx, user.organizationId, [student]);
  return hints;
}

async function enterUsersOrganization(caller: Caller, input: NewUser): Promise<string | null> {
  if (input.primaryPersona === 'ADMIN' && input.scope === 'SUPER') {
    if (input.organizationId !== undefined) throw invalid('organizationId', 'is not accepted with scope SUPER');
    if (caller.actor.organizationId !== null) throw denied('Only a SUPER administrator can create another one.');
    return null;
  }
  if (input.organizationId === undefined) throw invalid('organizationId', 'is required');
  return (await enterOrganization(caller, input.organizationId)).id;
}

interface StoredFields {
  readonly organizationId: string | null;
  readonly passwordHash: string | null;
}

async function insertUser(
  { trx, now }: Caller,
  input: NewUser,
  { organizationId, passwordHash }: StoredFields,
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
  if (rows.some(({ status }) => status === 'merged')) throw mergedRefusal('studentIds');
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

/** Ends all sessions immediately, on every process. Throws CONFLICT `own_account` for the caller's own account. */
export async function deactivateUser({ trx, actor, now }: Caller, user: User): Promise<User> {
  if (user.id === actor.userId) throw conflict('own_account', 'You cannot deactivate your own account.');
  await requireAnotherSuper(trx, user);
  await lockLivingAccount(trx, user);
  await revokeAllOf(trx, user.id, 'deactivated', now);
  return User.query(trx).patchAndFetchById(user.id, { status: 'inactive' });
}

export async function reactivateUser({ trx }: Caller, user: User): Promise<User> {
  await lockLivingAccount(trx, user);
  return User.query(trx).patchAndFetchById(user.id, { status: 'active' });
}

/**
 * Locks the account against a concurrent erasure or merge. Throws CONFLICT `deleted` when the person was erased, and `merged`
 * when the account was merged into another one.
 */
export async function lockLivingAccount(trx: Trx, { id }: User): Promise<void> {
  const living = User.query(trx).findById(id).whereNot({ status: 'deleted' });
  const account = await lockRows('account', 'change', living);
  if (!account) throw conflict('deleted', 'This person was erased.');
  if (account.status === 'merged') throw mergedRefusal();
}
