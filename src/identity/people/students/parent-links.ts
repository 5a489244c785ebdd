// Links between parents and children. Parents address a child by the link's own id, which has no meaning elsewhere.

import { type Trx, violatedConstraint } from '#core/platform/db.ts';
import { conflict, invalid, notFound } from '#core/platform/errors.ts';
import { newId } from '#core/platform/ids.ts';
import { lockRows } from '#core/platform/locks.ts';
import { ParentStudent } from '../records/organizations.ts';
import { User } from '../records/users.ts';
import { mergedRefusal } from './merged.ts';

interface Child {
  readonly id: number;
  readonly organizationId: string;
}

/** Throws NOT_FOUND for an unknown user, VALIDATION_ERROR for one who is no parent, CONFLICT `already_linked` or `merged`. */
export async function linkParent(trx: Trx, child: Child, parentUserId: number): Promise<ParentStudent> {
  const parent = await lockParent(trx, child.id, parentUserId);
  if (parent.primaryPersona !== 'PARENT') throw invalid('parentUserId', 'is not a parent');
  try {
    const { id: studentId, organizationId } = child;
    return await ParentStudent.query(trx).insertAndFetch({ childId: newId(), organizationId, parentUserId, studentId });
  } catch (error) {
    if (violatedConstraint(error) === 'parent_student_pair') {
      throw conflict('already_linked', 'This parent is already linked to the child.', 'parentUserId');
    }
    throw error;
  }
}

/** Locks parent and student against a concurrent erasure, and returns the parent. */
async function lockParent(trx: Trx, studentId: number, parentUserId: number): Promise<User> {
  const both = User.query(trx).whereIn('id', [studentId, parentUserId]).whereNot({ status: 'deleted' }).orderBy('id');
  const living = await lockRows('account', 'share', both);
  const parent = living.find(({ id }) => id === parentUserId);
  const child = living.find(({ id }) => id === studentId);
  if (!parent || !child) throw notFound();
  if (child.status === 'merged') throw mergedRefusal();
  return parent;
}

/** Throws NOT_FOUND when there is no such link. */
export async function unlinkParent(trx: Trx, child: Child, parentUserId: number): Promise<void> {
  const removed = await ParentStudent.query(trx).where({ studentId: child.id, parentUserId }).delete();
  if (removed === 0) throw notFound();
}
