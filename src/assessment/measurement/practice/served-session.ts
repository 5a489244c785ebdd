// Converts a stored queue to the form that the skill-status engine reads: items in serving order, with choices and
// support.

import type { Item } from '../../content/index.ts';
import { isWithdrawn, type ServedResponse, type ServedSession, servedResponse } from '../evidence/engine/served.ts';
import type { OpenQueue } from './queue.ts';
import type { PracticeResponse } from './store.ts';

/** Returns the served session. `asOf` is its end and decides whether an item counts as withdrawn. */
export function toServedSession({ queue, served, responses, rules }: OpenQueue, asOf: Date): ServedSession {
  const bySeq = new Map(responses.map((response) => [response.seq, response]));
  return {
    sessionId: queue.id,
    source: 'practice',
    endedAt: asOf.toISOString(),
    finished: true,
    responses: served.flatMap(({ seq, itemId, hintPatternKey }) => {
      const item = rules.bank.find(itemId);
      const response = bySeq.get(seq);
      return item && response ? [toServedResponse(item, response, hintPatternKey !== null, asOf)] : [];
    }),
    pausesMs: [],
  };
}

function toServedResponse(item: Item, response: PracticeResponse, hintServed: boolean, asOf: Date): ServedResponse {
  const { selectedOptionIndex: index, correct, latencyMs, optionChanges } = response;
  const answer = { subSkillCode: item.subSkillCode, index, correct, latencyMs, hintServed, optionChanges };
  return servedResponse(item, answer, isWithdrawn(item, asOf.toISOString()));
}
