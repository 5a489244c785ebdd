// Explains the flags of a session's behaviour log.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { sayDecision, sentencesInForce } from '#rules/catalogue/index.ts';
import { decisionOf, type Facts } from '#rules/rulesets/index.ts';
import { BehaviourLog, type SessionRef, transcriptOf } from '../../../measurement/index.ts';
import type { ExplainedBehaviour, LoggedResponse } from './schemas.ts';
import { replayStampedQuestion, versionIn } from './stamped.ts';

interface BehaviourRow extends SessionRef {
  readonly studentId: number;
  readonly at: string;
  /** Rule ids, in the order of the table. */
  readonly flags: readonly string[];
  readonly facts: Facts;
  /** Numbers of the responses, from 1. */
  readonly markedSeqs: readonly number[];
  readonly ruleVersion: string;
}

/** Returns undefined for a row that is not visible. Uses the stamped rules only. */
export async function explainBehaviour(
  reading: ReadTransaction,
  services: Pick<Services, 'db' | 'rules' | 'clock'>,
  id: number,
): Promise<ExplainedBehaviour | undefined> {
  const row: BehaviourRow | undefined = await reading((trx) =>
    BehaviourLog.query(trx).modify(inAnyOrganization).where({ id }).first().execute(),
  );
  if (!row) return undefined;
  const { organizationId, studentId, source, sessionId, at, flags, ruleVersion } = row;
  const calls = await replayStampedQuestion(services, 'rbm/rbm', row);
  const found = calls.map(({ hits }) => hits.map(({ ruleId }) => ruleId));
  const decisions = calls.map((call) => decisionOf(call, sessionId));
  return {
    stampId: `rbm:${id}`,
    kind: 'rbm',
    organizationId,
    studentId,
    asOf: at,
    ruleVersions: { 'rbm/rbm': versionIn(ruleVersion) },
    result: { source, sessionId, at, flags },
    decisions,
    matchesStored: canonicalJson(found) === canonicalJson([flags]),
    sentence: sayDecision(await sentencesInForce(reading, services), 'RBM', decisions[0]),
    nearestChange: null,
    from: await loggedResponses(reading, row),
  };
}

/** Returns the responses of the session with the marks of the log. */
async function loggedResponses(reading: ReadTransaction, row: BehaviourRow): Promise<LoggedResponse[]> {
  const marked = new Set(row.markedSeqs);
  const lines = await reading((trx) => transcriptOf(trx, row));
  return lines.map((line, at) => ({ ...line, marked: marked.has(at + 1) }));
}
