// Scopes of a child in a path. A parent's handle resolves that parent's link only, and an unlinked child is out of
// reach at once.
import type { AppScope } from '#core/module/route.ts';
import { denied, notFound } from '#core/platform/errors.ts';
import {
  findOwnerInReach,
  findStudent,
  findStudentInReach,
  ParentStudent,
  type StudentInScope,
  teachersAndAdmins,
} from '#identity/people/index.ts';

type Request = Parameters<AppScope<StudentInScope>['resolve']>[0];
type Found = ReturnType<AppScope<StudentInScope>['resolve']>;

const isHandle = (childId: string): boolean => !/^\d/.test(childId);

const resolve = (request: Request): Found => {
  const childId = request.params.childId ?? '';
  if (request.actor.persona === 'PARENT') return childOfParent(request, childId);
  if (!isHandle(childId)) return findStudentInReach(request, childId, teachersAndAdmins);
  const linked = ParentStudent.query(request.trx).where({ childId }).select('studentId').toKnexQuery();
  return findOwnerInReach(request, linked, teachersAndAdmins);
};

async function childOfParent({ trx, actor }: Request, childId: string): Found {
  const links = ParentStudent.query(trx).where({ parentUserId: actor.userId });
  if (isHandle(childId)) {
    const link: { studentId: number } | undefined = await links.where({ childId }).select('studentId').first();
    if (!link) throw notFound();
    return findStudent(trx, link.studentId);
  }
  const found = await findStudent(trx, childId);
  const link: object | undefined = await links.where({ studentId: found.row.id }).select('childId').first();
  if (!link) throw denied('This child is not linked to you.');
  return found;
}

/** Resolved by the handle of the own link, or by the id of a linked child. */
export const linkedChild: AppScope<StudentInScope> = { reach: 'linked child', resolve };

/** Letters are read by the family and by staff who hand them out. */
export const childOfLetter: AppScope<StudentInScope> = { reach: 'linked child, or S (ClassTeacher, admin)', resolve };

/** Staff who print letters. */
export const studentOfLetter: AppScope<StudentInScope> = { reach: 'S (ClassTeacher, admin)', resolve };
