// Loads the evidence of many windows from the sources of all capabilities, one reader after the other.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { EvidenceRequest, SessionsOf } from './reader.ts';

/** What readers of evidence are given, here and in threads. */
export type EvidenceServices = Pick<Services, 'capabilities' | 'itemBanks'>;
type WantedEvidence = Omit<EvidenceRequest, 'itemBanks'>;

/** What was read; facts are made of it window by window, and need no transaction. */
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

/** The students of whom any source says that a person should look before a label is given. */
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
