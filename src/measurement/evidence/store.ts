// Loads the evidence of many students for their windows from all sources, one reader after the other.
import type { Trx } from '../../platform/db.ts';
import type { EvidenceRequest, StudentSession } from './reader.ts';
import { contextReviewReaders, evidenceReaders } from './sources.ts';

/** By student; a student without evidence has no entry. */
export async function loadEvidence(trx: Trx, request: EvidenceRequest): Promise<Map<number, StudentSession[]>> {
  const byStudent = new Map<number, StudentSession[]>();
  for (const read of evidenceReaders) {
    for (const session of await read(trx, request)) {
      const known = byStudent.get(session.studentId);
      if (known) known.push(session);
      else byStudent.set(session.studentId, [session]);
    }
  }
  return byStudent;
}

/** The students of whom any source says that a person should look before a label is given. */
export async function underContextReview(trx: Trx, request: EvidenceRequest): Promise<Set<number>> {
  const found = new Set<number>();
  for (const read of contextReviewReaders) {
    for (const studentId of await read(trx, request)) found.add(studentId);
  }
  return found;
}
