// Reach of evidence: staff who reach the student whose evidence it is reach the rows of merged accounts too.
import type { ScopeRequest } from '#core/http/route.ts';
import type { Services } from '#core/module/services.ts';
import { findStudentInReach } from '#identity/people/index.ts';
import { present } from '../engine/corrections.ts';
import { loadCorrections } from './load.ts';

interface OfAccount {
  readonly organizationId: string;
  readonly studentId: number;
}

/** Throws NOT_FOUND and PERMISSION_DENIED as `findStudentInReach` does. */
export async function findOwnerOfEvidence(
  caller: Pick<ScopeRequest<Services>, 'trx' | 'actor'>,
  { organizationId, studentId }: OfAccount,
  allowed: Parameters<typeof findStudentInReach>[2],
): ReturnType<typeof findStudentInReach> {
  const corrections = await loadCorrections(caller.trx, organizationId, [studentId]);
  return findStudentInReach(caller, corrections.survivorAt(studentId, present), allowed);
}
