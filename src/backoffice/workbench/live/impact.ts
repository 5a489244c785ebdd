// For whom would proposed rules change something? An author asks while typing: nothing is stored.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { canonicalHash, canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { documentName } from '#rules/rulesets/index.ts';
import { runInWorker } from '../analysis-worker.ts';
import type { ImpactScope } from '../impact/input.ts';
import type { Obstacle } from './obstacles.ts';
import { addedUp, withoutCounts } from './present.ts';
import { type ProposedRules, type ProposedText, proposedTexts } from './proposed-texts.ts';
import type { LiveQuestion, LiveTransition } from './question.ts';
import { scopeInForce } from './scope.ts';

export interface LiveImpactQuestion extends ProposedRules {
  readonly scope: ImpactScope;
  readonly students?: LiveTransition;
  readonly maxMs?: number;
}

/** Milliseconds, when the question says nothing else. */
const usualMs = 500;

/**
 * Reads what the question is about; returns the answer, to be worked out when the transaction has ended. Throws what `scopeInForce`
 * and `proposedTexts` throw; the answer throws ENGINE_UNAVAILABLE.
 */
export async function liveImpactOf(
  services: Pick<Services, 'rules' | 'liveThreads'>,
  trx: Trx,
  { scope, students, maxMs = usualMs, ...proposed }: LiveImpactQuestion,
  { userId, now }: { readonly userId: number; readonly now: Date },
) {
  const known = await scopeInForce(services, trx, scope, now);
  const texts = await proposedTexts(trx, proposed, known.rules);
  const asked = {
    ...known.scope,
    texts: textsFor(texts, known.rules),
    students: students ?? null,
  };
  const { now: _now, ...lasting } = asked;
  const question: LiveQuestion = { ...asked, questionId: canonicalHash(lasting), userId, maxMs };
  return async () => {
    const obstacle = await obstacleTo(texts, known);
    if (obstacle) return withoutCounts(obstacle, question);
    return addedUp(await services.liveThreads.count(question), question);
  };
}

async function obstacleTo(
  texts: readonly ProposedText[],
  { rules, isOnFallback }: { readonly rules: RuleBundle; readonly isOnFallback: boolean },
): Promise<Obstacle> {
  const found = texts.length === 0 ? null : await runInWorker('evaluable', { texts, documents: rules.documents });
  if (found?.state === 'not_evaluable' || !isOnFallback) return found;
  return { state: 'job_needed', issue: 'fallback' };
}

/** Without a proposal, the rules in force are compared with themselves. */
function textsFor(texts: readonly ProposedText[], { documents }: RuleBundle): string[] {
  if (texts.length > 0) return texts.map(({ text }) => text);
  return documents.filter((one) => documentName(one) === 'dth/dth').map((one) => canonicalJson(one));
}
