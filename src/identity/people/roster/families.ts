// Which guardians see which children after a roster, many in one statement.
import type { Trx } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';

interface FamilyLink {
  readonly studentId: number;
  readonly parentUserId: number;
}

export interface MadeLink extends FamilyLink {
  readonly childId: string;
}

/** Both are locked; a link that is there stays. Answers those that were made. */
export async function linkFamilies(
  trx: Trx,
  organizationId: string,
  links: readonly FamilyLink[],
): Promise<readonly MadeLink[]> {
  if (links.length === 0) return [];
  return trx('parent_student')
    .insert(links.map(({ studentId, parentUserId }) => ({ childId: newId(), organizationId, studentId, parentUserId })))
    .onConflict(['organizationId', 'parentUserId', 'studentId'])
    .ignore()
    .returning(['childId', 'studentId', 'parentUserId']);
}

/** By the links' own ids: the same two who were linked anew meanwhile stay linked. */
export async function unlinkFamilies(trx: Trx, organizationId: string, childIds: readonly string[]): Promise<void> {
  if (childIds.length === 0) return;
  await trx('parent_student')
    .where({ organizationId })
    .whereRaw('child_id = any(?::text[])', [[...childIds]])
    .delete();
}
