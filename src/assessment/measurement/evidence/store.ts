// Loads the evidence of many windows from the readers of all capabilities, sequentially.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { EvidenceRequest, SessionsOf } from './reader.ts';

/** The services of evidence readers, in this process and in threads. */
export type EvidenceServices = Pick<Services, 'capabilities' | 'itemBanks'>;
type WantedEvidence = Omit<EvidenceRequest, 'itemBanks'>;

/** Loads the evidence. The returned function derives facts per window without a transaction. */
export async function loadEvidence(
  trx: Trx,
  { capabilities, itemBanks }: EvidenceServices,
  wanted: WantedEvidence,
): Promise<SessionsOf> {
  const sources: SessionsOf[] = [];
  for (const read of capabilities.flatMap(({ evidenceReaders = [] }) => evidenceReaders)) {
    sources.push(await read(trx, { ...wanted, itemBanks }));
  }
  return (window, rules) => sources.flatMap((sessionsOf) => sessionsOf(window, rules));
}

/** Returns the students for whom any source requires review before a label. */
export async function underContextReview(
  trx: Trx,
  { capabilities }: Pick<EvidenceServices, 'capabilities'>,
  wanted: WantedEvidence,
  rules: RuleBundle,
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const read of capabilities.flatMap(({ contextReviewReaders = [] }) => contextReviewReaders)) {
    for (const studentId of await read(trx, wanted, rules)) found.add(studentId);
  }
  return found;
}
