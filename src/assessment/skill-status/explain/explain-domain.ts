// Explains the status in a stored domain row; for reading comprehension also why it is weak.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { decisionOf, nearestChange } from '#rules/rulesets/index.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { DomainStatusSnapshot } from '../results/models.ts';
import { domainContents } from '../results/rows.ts';
import type { DomainRow } from '../results/tables.ts';
import { noFlip } from './nearest-answers.ts';
import { skillNodes } from './nodes.ts';
import { domainResult } from './results.ts';
import { domainCalls, type RunTrace, runFrameOf, runTraceOf } from './run-trace.ts';
import type { ExplainedResult } from './schemas.ts';
import { domainSentence } from './sentences.ts';

/** Returns undefined for a row that is not visible. */
export async function explainDomain(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<ExplainedResult | undefined> {
  const row: DomainRow | undefined = await reading((trx) =>
    DomainStatusSnapshot.query(trx).modify(inAnyOrganization).where({ id }).first().execute(),
  );
  const trace = row && (await runTraceOf(reading, services, row.runId));
  if (!trace) return undefined;
  const code = row.domainCode;
  const evaluation = trace.evaluation.domains.find(({ domain }) => domain.code === code);
  if (!evaluation) return undefined;
  const decisions = domainCalls(trace, code).map((call) => decisionOf(call, code));
  return {
    stampId: `domain:${id}`,
    kind: 'domain',
    ...runFrameOf(trace),
    result: domainResult(row),
    decisions,
    matchesStored: isSame(trace, row),
    sentence: domainSentence(trace, evaluation),
    nearestChange: nearestChange(decisions[0], factCategories, trace.sentences.isAboutChild),
    answerFlip: noFlip,
    from: skillNodes(trace, code),
    alongside: [],
    questions: trace.questions.byKey,
  };
}

function isSame({ run, evaluation }: RunTrace, { id, ...stored }: DomainRow): boolean {
  const again = domainContents(run, evaluation).find((row) => row.domainCode === stored.domainCode);
  return again !== undefined && canonicalJson(again) === canonicalJson(stored);
}
