// Explains the level of an error pattern in training.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { sayDecision, sentencesInForce } from '#rules/catalogue/index.ts';
import { decisionOf, type TracedCall } from '#rules/rulesets/index.ts';
import {
  factsOf,
  readCode,
  type SubFlagCounts,
  SubFlagIndicator,
  type SubFlagRow,
} from '../../../error-patterns/index.ts';
import { flagOccurrences, levelReached, type SubFlagName } from './ledger.ts';
import type { CountedOccurrence, ExplainedSubFlag } from './schemas.ts';
import { replayStampedQuestion, versionIn } from './stamped.ts';

interface IndicatorRow extends SubFlagName, SubFlagRow {
  readonly organizationId: string;
  readonly code: string;
  readonly updatedAt: string;
  readonly ruleVersion: string;
}

/** Returns undefined for a row that is not visible. Uses the stamped rules only. */
export async function explainSubFlag(
  reading: ReadTransaction,
  services: Pick<Services, 'db' | 'rules' | 'clock'>,
  name: SubFlagName,
): Promise<ExplainedSubFlag | undefined> {
  const row: IndicatorRow | undefined = await reading((trx) =>
    SubFlagIndicator.query(trx)
      .modify(inAnyOrganization)
      .where({ ...name })
      .first()
      .execute(),
  );
  if (!row) return undefined;
  const { studentId, schoolYear, patternKey } = name;
  const calls = await callsFor(reading, services, row);
  const from = await reading((trx) => flagOccurrences(trx, row));
  const decisions = calls.map((call) => decisionOf(call, patternKey));
  return {
    stampId: `subflag:${studentId}.${schoolYear}.${patternKey}`,
    kind: 'subflag',
    organizationId: row.organizationId,
    studentId,
    asOf: row.updatedAt,
    ruleVersions: { 'subflag/subflag': versionIn(row.ruleVersion) },
    result: resultOf(row),
    decisions,
    matchesStored: isRaised(row, calls) && isCounted(row, from),
    sentence: sayDecision(await sentencesInForce(reading, services), 'SUBFLAG', decisions[0]),
    nearestChange: null,
    from,
  };
}

/**
 * Returns the questions. A reached level stays: when the newest counts give a lower one, the question that reached the
 * level is included.
 */
async function callsFor(
  reading: ReadTransaction,
  services: Pick<Services, 'db' | 'rules'>,
  row: IndicatorRow,
): Promise<TracedCall[]> {
  const ask = (counts: SubFlagCounts, ruleVersion: string) =>
    replayStampedQuestion(services, 'subflag/subflag', { facts: factsOf(counts), ruleVersion });
  const now = await ask(row, row.ruleVersion);
  if (levelOf(highestHit(now)) >= row.level) return [...now];
  const reached = await reading((trx) => levelReached(trx, row, row.level));
  return reached ? [...now, ...(await ask(reached.facts, reached.ruleVersion))] : [...now];
}

type Hit = TracedCall['hits'][number];

const levelOf = (hit: Hit | undefined): number => Number(hit?.params.level ?? 0);

const highestHit = (calls: readonly TracedCall[]): Hit | undefined =>
  calls.flatMap(({ hits }) => hits).sort((left, right) => levelOf(right) - levelOf(left))[0];

function isRaised({ level, state }: IndicatorRow, calls: readonly TracedCall[]): boolean {
  const hit = highestHit(calls);
  return levelOf(hit) === level && hit?.outcome === state;
}

/** Returns whether the ledger agrees with the counts of the indicator. */
const isCounted = ({ validOccurrences, sessionCount }: IndicatorRow, occurrences: readonly CountedOccurrence[]) =>
  occurrences.length === validOccurrences &&
  new Set(occurrences.map(({ sessionId }) => sessionId)).size === sessionCount;

const resultOf = (row: IndicatorRow): ExplainedSubFlag['result'] => ({
  schoolYear: row.schoolYear,
  patternKey: row.patternKey,
  code: readCode(row.code),
  level: row.level,
  state: row.state,
  validOccurrences: row.validOccurrences,
  sessionCount: row.sessionCount,
  linkedOccurrences: row.linkedOccurrences,
  occurrencesAfterSupport: row.occurrencesAfterSupport,
  supportDeliveredAt: row.supportDeliveredAt,
});
