// Links between parents and children of a roster, many per statement.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { ParentStudent } from '../records/organizations.ts';

interface FamilyLink {
  readonly studentId: number;
  readonly parentUserId: number;
}

export interface CreatedLink extends FamilyLink {
  readonly childId: string;
}

/** Returns the links that were created; existing ones stay. The caller holds the locks of parents and students. */
export async function linkFamilies(
  trx: Trx,
  organizationId: string,
  links: readonly FamilyLink[],
): Promise<readonly CreatedLink[]> {
  if (links.length === 0) return [];
  return ParentStudent.query(trx)
    .insert(links.map(({ studentId, parentUserId }) => ({ childId: newId(), organizationId, studentId, parentUserId })))
    .onConflict(['organizationId', 'parentUserId', 'studentId'])
    .ignore()
    .returning(['childId', 'studentId', 'parentUserId'])
    .toKnexQuery();
}

/** Deletes links by their own ids, so that a link that was created again in the meantime stays. */
export async function unlinkFamilies(trx: Trx, organizationId: string, childIds: readonly string[]): Promise<void> {
  if (childIds.length === 0) return;
  await ParentStudent.query(trx)
    .where({ organizationId })
    .whereRaw('child_id = any(?::text[])', [[...childIds]])
    .delete();
}
