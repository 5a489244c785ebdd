// Loads the evidence of many students for their windows from all sources, one reader after the other.
import type { Trx } from '../../platform/db.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import type { EvidenceRequest, SessionsOf } from './reader.ts';
import { contextReviewReaders, evidenceReaders } from './sources.ts';

/** What was read; facts are made of it student by student, and need no transaction. */
export async function loadEvidence(trx: Trx, request: EvidenceRequest): Promise<SessionsOf> {
  const sources: SessionsOf[] = [];
  for (const read of evidenceReaders) sources.push(await read(trx, request));
  return (studentId, rules) => sources.flatMap((sessionsOf) => sessionsOf(studentId, rules));
}

/** The students of whom any source says that a person should look before a label is given. */
export async function underContextReview(trx: Trx, request: EvidenceRequest, rules: RuleBundle): Promise<Set<number>> {
  const found = new Set<number>();
  for (const read of contextReviewReaders) {
    for (const studentId of await read(trx, request, rules)) found.add(studentId);
  }
  return found;
}
