// A stored queue as the skill-status engine reads it: items in serving order, what was chosen and with how much help.

import type { Item } from '../../content/index.ts';
import { isWithdrawn, type ServedResponse, type ServedSession, servedResponse } from '../evidence/engine/served.ts';
import type { OpenQueue } from './queue.ts';
import type { PracticeResponse } from './store.ts';

/** `asOf` is the end of the session, and decides whether an item counts as withdrawn. */
export function workedQueue({ queue, served, responses, rules }: OpenQueue, asOf: Date): ServedSession {
  const bySeq = new Map(responses.map((response) => [response.seq, response]));
  return {
    sessionId: queue.id,
    source: 'practice',
    endedAt: asOf.toISOString(),
    finished: true,
    responses: served.flatMap(({ seq, itemId, hintPatternKey }) => {
      const item = rules.bank.find(itemId);
      const response = bySeq.get(seq);
      return item && response ? [workedResponse(item, response, hintPatternKey !== null, asOf)] : [];
    }),
    pausesMs: [],
  };
}

function workedResponse(item: Item, response: PracticeResponse, hintServed: boolean, asOf: Date): ServedResponse {
  const { selectedOptionIndex: index, correct, latencyMs, optionChanges } = response;
  const answer = { subSkillCode: item.subSkillCode, index, correct, latencyMs, hintServed, optionChanges };
  return servedResponse(item, answer, isWithdrawn(item, asOf.toISOString()));
}
