// Why a domain has the status that a stored row says; of reading comprehension also why it is weak.

import type { Services } from '../../kernel/services.ts';
import type { Trx } from '../../platform/db.ts';
import { canonicalJson } from '../../platform/pure/canonical-json.ts';
import { decisionOf, nearestChange } from '../../rulesets/index.ts';
import { domainContents } from '../results/rows.ts';
import type { DomainRow } from '../results/tables.ts';
import { skillNodes } from './nodes.ts';
import { domainResult } from './results.ts';
import type { ExplainedResult } from './schemas.ts';
import { domainCalls, frameOf, type Story, storyOf } from './story.ts';

/** Undefined for a row out of sight. */
export async function explainDomain(trx: Trx, services: Services, id: number): Promise<ExplainedResult | undefined> {
  const row: DomainRow | undefined = await trx('sse_domain_snapshot').where({ id }).first();
  const story = row && (await storyOf(trx, services, row.runId));
  if (!story) return undefined;
  const code = row.domainCode;
  const decisions = domainCalls(story, code).map((call) => decisionOf(call, code));
  return {
    stampId: `domain:${id}`,
    kind: 'domain',
    ...frameOf(story),
    result: domainResult(row),
    decisions,
    matchesStored: isSame(story, row),
    nearestChange: nearestChange(decisions[0]),
    from: skillNodes(story, code),
    alongside: [],
    questions: story.questions.told,
  };
}

function isSame({ run, evaluation }: Story, { id, ...stored }: DomainRow): boolean {
  const again = domainContents(run, evaluation).find((row) => row.domainCode === stored.domainCode);
  return again !== undefined && canonicalJson(again) === canonicalJson(stored);
}
