// A stored session as the skill-status engine reads it: items in serving order, what was chosen and how.

import type { Item, ItemBank } from '../../content/index.ts';
import type { Choice, ServedResponse, ServedSession } from '../evidence/engine/served.ts';
import { type Interval, pauses } from './engine/active-time.ts';
import { type DiagnosticEvent, type DiagnosticResponse, eventRow, type SessionRecord } from './store.ts';

/** `asOf` decides whether an item counts as withdrawn; `endedAt` is the finish, or `asOf` while there is none. */
export function workedSession(
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
      return item && response ? [workedResponse(item, response, replaysOf(id, events), asOf)] : [];
    }),
    pausesMs: pauses(events.map(eventRow)).map((pause) => durationMs(pause, asOf)),
  };
}

function workedResponse(item: Item, response: DiagnosticResponse, audioReplays: number, asOf: Date): ServedResponse {
  return {
    itemId: item.id,
    subSkillCode: item.subSkillCode,
    expectedSeconds: item.expectedSeconds,
    designedPatterns: item.designedPatterns,
    withdrawn: item.status === 'withdrawn' && (item.withdrawnAt === undefined || new Date(item.withdrawnAt) <= asOf),
    choice: choiceOf(item, response),
    latencyMs: response.latencyMs,
    hintServed: false,
    audioReplays,
    optionChanges: response.optionChanges,
  };
}

function choiceOf(item: Item, { selectedOptionIndex: index, correct }: DiagnosticResponse): Choice | null {
  if (index === null) return null;
  return { index, correct, microPattern: item.options[index]?.microPattern ?? null };
}

const replaysOf = (servedId: string, events: readonly DiagnosticEvent[]) =>
  events.filter(({ type, servedItemId }) => type === 'audio_replay' && servedItemId === servedId).length;

const durationMs = ({ fromMs, toMs }: Interval, asOf: Date) => Math.max(0, Math.min(toMs, asOf.getTime()) - fromMs);
