// Merges the account of a student into another one of the same child: what signs in, the class and the links. Evidence and all
// other rows stay with the account that they were made for.
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { lockRows } from '#core/platform/locks.ts';
import { revokeAllOf } from '../auth-sessions/auth-sessions.ts';
import { endEnrollment } from '../classes/enrollment.ts';
import { ParentStudent } from '../records/organizations.ts';
import { setSignInEmail } from '../records/sign-in-names.ts';
import { ExternalIdentity, QuickCode, User } from '../records/users.ts';
import type { MovedByMerge } from './rows.ts';

export type Account = User & { readonly organizationId: string };

/** Two accounts of one child. */
export interface AccountPair {
  readonly organizationId: string;
  readonly studentId: number;
  readonly intoStudentId: number;
}

export interface LockedPair {
  /** The account that is merged into the other one. */
  readonly from: Account;
  readonly into: Account;
}

/**
 * Locks both accounts, and those that were merged into one of them, against every writer that names them. Throws NOT_FOUND
 * unless both are students who were not erased.
 */
export async function lockPair(
  trx: Trx,
  { organizationId, studentId, intoStudentId }: AccountPair,
): Promise<LockedPair> {
  const ids = [studentId, intoStudentId];
  const both = User.query(trx)
    .where({ organizationId, primaryPersona: 'STUDENT' })
    .where((one) => one.whereIn('id', ids).orWhereIn('mergedIntoId', ids))
    .whereNot({ status: 'deleted' })
    .orderBy('id');
  const locked = (await lockRows('account', 'change', both)) as Account[];
  const from = locked.find(({ id }) => id === studentId);
  const into = locked.find(({ id }) => id === intoStudentId);
  if (!from || !into) throw notFound();
  return { from, into };
}

/** Moves links and identities, ends enrollment and sign-ins, and marks the account. The caller holds the locks of both. */
export async function mergeAccounts(trx: Trx, pair: LockedPair, now: Date): Promise<MovedByMerge> {
  const { from } = pair;
  const key = { organizationId: from.organizationId, id: from.id };
  const classId = await endEnrollment(trx, key, now);
  const links = await moveLinks(trx, pair);
  await setSignInEmail(trx, from, null);
  await QuickCode.query(trx).where({ organizationId: key.organizationId, studentId: from.id }).delete();
  const identities = await moveIdentities(trx, pair);
  await revokeAllOf(trx, from.id, 'deactivated', now);
  await markMerged(trx, pair);
  return { ...links, identities, classId };
}

/** A link that the other account has already is dropped. */
async function moveLinks(
  trx: Trx,
  { from, into }: LockedPair,
): Promise<Pick<MovedByMerge, 'parentLinks' | 'droppedLinks'>> {
  const { organizationId } = from;
  const known = ParentStudent.query(trx).where({ organizationId, studentId: into.id }).select('parentUserId');
  const droppedLinks = await ParentStudent.query(trx)
    .where({ organizationId, studentId: from.id })
    .whereIn('parentUserId', known)
    .delete()
    .returning(['childId', 'parentUserId']);
  const parentLinks = await ParentStudent.query(trx)
    .where({ organizationId, studentId: from.id })
    .patch({ studentId: into.id, mergedFrom: trx.raw('coalesce(merged_from, student_id)') as unknown as number });
  return { parentLinks, droppedLinks: droppedLinks.map(({ childId, parentUserId }) => ({ childId, parentUserId })) };
}

const moveIdentities = async (trx: Trx, { from, into }: LockedPair): Promise<number> =>
  ExternalIdentity.query(trx)
    .where({ organizationId: from.organizationId, userId: from.id })
    .patch({ userId: into.id, mergedFrom: trx.raw('coalesce(merged_from, user_id)') as unknown as number });

/** Accounts that were merged into the account before are now merged into the other one too. */
async function markMerged(trx: Trx, { from, into }: LockedPair): Promise<void> {
  const { organizationId } = from;
  await User.query(trx).where({ organizationId, mergedIntoId: from.id }).patch({ mergedIntoId: into.id });
  await User.query(trx).where({ organizationId, id: from.id }).patch({ status: 'merged', mergedIntoId: into.id });
}
