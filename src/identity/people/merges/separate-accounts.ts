// Undoes a merge of accounts: the account is active again, in its class if that is open, and what still stands as the merge moved
// it goes back.
import type { Trx } from '#core/platform/db.ts';
import { enroll } from '../classes/enrollment.ts';
import { ParentStudent, SchoolClass } from '../records/organizations.ts';
import { takeSignInEmail } from '../records/sign-in-names.ts';
import { ExternalIdentity, User } from '../records/users.ts';
import type { LockedPair } from './merge-accounts.ts';
import { accountsMergedBefore } from './merged-into.ts';
import type { MovedByMerge } from './rows.ts';

/** The caller holds the locks of both accounts, and the one that the other was merged into is not merged itself. */
export async function separateAccounts(
  trx: Trx,
  { from, into }: LockedPair,
  moved: MovedByMerge,
  now: Date,
): Promise<void> {
  const { organizationId, id } = from;
  const before = await accountsMergedBefore(trx, from);
  await User.query(trx).where({ organizationId, id }).patch({ status: 'active', mergedIntoId: null });
  await User.query(trx).where({ organizationId }).whereIn('id', before).patch({ mergedIntoId: id });
  await enterClass(trx, from, moved.classId, now);
  const own = { organizationId, from: id, into: into.id, origins: [id, ...before] };
  await returnLinks(trx, own);
  await restoreLinks(trx, own, moved.droppedLinks);
  if (from.email !== null && !(await takeSignInEmail(trx, from, from.email))) {
    await User.query(trx).findById(id).patch({ email: null });
  }
  await returnIdentities(trx, own);
}

async function enterClass(
  trx: Trx,
  { id, organizationId }: LockedPair['from'],
  classId: number | null,
  now: Date,
): Promise<void> {
  if (classId === null) return;
  const open = await SchoolClass.query(trx).findOne({ organizationId, id: classId }).whereNull('archivedAt');
  if (open) await enroll(trx, open, [id], now);
}

interface Returning {
  readonly organizationId: string;
  readonly from: number;
  readonly into: number;
  /** The account, and those that were merged into it before. */
  readonly origins: readonly number[];
}

/** A row that comes back to the account that it came from is an ordinary one again. */
const origin = (trx: Trx, { from }: Returning) =>
  trx.raw('nullif(merged_from, ?::bigint)', [from]) as unknown as number | null;

async function returnLinks(trx: Trx, own: Returning): Promise<void> {
  const { organizationId, from, into, origins } = own;
  await ParentStudent.query(trx)
    .where({ organizationId, studentId: into })
    .whereIn('mergedFrom', [...origins])
    .patch({ studentId: from, mergedFrom: origin(trx, own) });
}

/** A parent who is still linked to the other account gets the dropped link back. */
async function restoreLinks(
  trx: Trx,
  { organizationId, from, into }: Returning,
  dropped: MovedByMerge['droppedLinks'],
): Promise<void> {
  if (dropped.length === 0) return;
  const linked = await ParentStudent.query(trx).where({ organizationId, studentId: into }).select('parentUserId');
  const standing = new Set(linked.map(({ parentUserId }) => parentUserId));
  const back = dropped.filter(({ parentUserId }) => standing.has(parentUserId));
  if (back.length === 0) return;
  await ParentStudent.query(trx)
    .insert(back.map((link) => ({ ...link, organizationId, studentId: from })))
    .onConflict(['organizationId', 'parentUserId', 'studentId'])
    .ignore();
}

async function returnIdentities(trx: Trx, own: Returning): Promise<void> {
  const { organizationId, from, into, origins } = own;
  await ExternalIdentity.query(trx)
    .where({ organizationId, userId: into })
    .whereIn('mergedFrom', [...origins])
    .patch({ userId: from, mergedFrom: origin(trx, own) });
}
