// Served items and sessions for tests of facts and behaviour: a default one with changes.
import type { ServedResponse, ServedSession } from '#assessment/measurement/evidence/engine/served.ts';

export const choice = (index: number, correct = true, microPattern: string | null = null) => ({
  index,
  correct,
  microPattern,
});

/** A right answer after 10 s to an item with an expected time of 15 s. */
export const served = (changes: Partial<ServedResponse> = {}): ServedResponse => ({
  itemId: 'LK_SOUND-G12-01',
  subSkillCode: 'LK_SOUND',
  expectedSeconds: 15,
  designedPatterns: [],
  withdrawn: false,
  choice: choice(0),
  latencyMs: 10_000,
  hintServed: false,
  audioReplays: 0,
  optionChanges: 0,
  ...changes,
});

export const servedSession = (responses: readonly ServedResponse[], changes: Partial<ServedSession> = {}) => ({
  sessionId: 's1',
  source: 'diagnostic' as const,
  endedAt: '2026-01-10T09:00:00.000Z',
  finished: true,
  pausesMs: [],
  ...changes,
  responses,
});
