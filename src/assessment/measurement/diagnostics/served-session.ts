// Converts a stored diagnostic to the form that the skill-status engine reads: items in serving order with the choices.

import type { Item, ItemBank } from '../../content/index.ts';
import { isWithdrawn, type ServedResponse, type ServedSession, servedResponse } from '../evidence/engine/served.ts';
import { type Interval, pauses } from './engine/active-time.ts';
import { type DiagnosticEvent, type DiagnosticResponse, eventRow, type SessionRecord } from './store.ts';

/**
 * Returns the served session. `asOf` decides whether an item counts as withdrawn; `endedAt` is the finish, or `asOf`
 * before it.
 */
export function toServedSession(
  { session, served, responses, events }: SessionRecord,
  bank: ItemBank,
  asOf: Date,
): ServedSession {
  const bySeq = new Map(responses.map((response) => [response.seq, response]));
  return {
    sessionId: session.id,
    source: 'diagnostic',
    endedAt: session.finishedAt ?? asOf.toISOString(),
    finished: session.status === 'FINISHED',
    responses: served.flatMap(({ id, seq, itemId }) => {
      const item = bank.find(itemId);
      const response = bySeq.get(seq);
      return item && response ? [toServedResponse(item, response, replaysOf(id, events), asOf)] : [];
    }),
    pausesMs: pauses(events.map(eventRow)).map((pause) => durationMs(pause, asOf)),
  };
}

function toServedResponse(item: Item, response: DiagnosticResponse, audioReplays: number, asOf: Date): ServedResponse {
  const { selectedOptionIndex: index, correct, latencyMs, heardMs, optionChanges } = response;
  const times = { latencyMs, heardMs: heardMs ?? undefined };
  const answer = { subSkillCode: item.subSkillCode, index, correct, ...times, audioReplays, optionChanges };
  return servedResponse(item, answer, isWithdrawn(item, asOf.toISOString()));
}

const replaysOf = (servedId: string, events: readonly DiagnosticEvent[]) =>
  events.filter(({ type, servedItemId }) => type === 'audio_replay' && servedItemId === servedId).length;

const durationMs = ({ fromMs, toMs }: Interval, asOf: Date) => Math.max(0, Math.min(toMs, asOf.getTime()) - fromMs);
