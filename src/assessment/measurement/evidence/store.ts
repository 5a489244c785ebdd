// Loads the evidence of many windows from the readers of all capabilities, sequentially.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { loadCorrections } from './corrections/load.ts';
import type { EvidenceRequest, SessionsOf } from './reader.ts';
import type { StudentWindow } from './windows.ts';

/** The services of evidence readers, in this process and in threads. */
export type EvidenceServices = Pick<Services, 'capabilities' | 'itemBanks'>;
type WantedEvidence = Omit<EvidenceRequest, 'itemBanks'>;

/**
 * Loads the evidence, that of merged accounts too, without what is voided at the windows' ends. The returned function
 * derives facts per window without a transaction.
 */
export async function loadEvidence(
  trx: Trx,
  { capabilities, itemBanks }: EvidenceServices,
  wanted: WantedEvidence,
): Promise<SessionsOf> {
  const { organizationId, students } = wanted;
  const ids = students.map(({ studentId }) => studentId);
  const corrections = await loadCorrections(trx, organizationId, [...new Set(ids)]);
  const ofAccounts = (window: StudentWindow): StudentWindow[] =>
    corrections.accountsAt(window.studentId, new Date(window.to)).map((studentId) => ({ ...window, studentId }));
  const request = { ...wanted, students: students.flatMap(ofAccounts), itemBanks };
  const sources: SessionsOf[] = [];
  for (const read of capabilities.flatMap(({ evidenceReaders = [] }) => evidenceReaders)) {
    sources.push(await read(trx, request));
  }
  return (window, rules) =>
    sources
      .flatMap((sessionsOf) => ofAccounts(window).flatMap((one) => sessionsOf(one, rules)))
      .filter(({ session: { source, sessionId } }) => !corrections.voidAt(source, sessionId, new Date(window.to)));
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
