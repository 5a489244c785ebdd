// The child's part of the walkthrough: one part of the diagnostic from start to finish.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../engine/random.ts';
import { type ApiCall, requireSuccess } from './client.ts';
import type { Reader, SeenItem } from './reader.ts';

export interface StartedVisit {
  readonly sessionId: string;
  readonly formCode: string;
  readonly partIndex: number;
  readonly partCount: number;
  readonly resumed: boolean;
}

interface Progress {
  readonly answered: number;
  readonly maxItems: number;
}

/** Returns undefined when the child has finished all parts of the season. */
export async function startPart(call: ApiCall): Promise<StartedVisit | undefined> {
  const reply = await call('POST', '/api/diagnostic-sessions/start', {});
  const { details } = (reply.body ?? {}) as { details?: readonly { issue: string }[] };
  return details?.[0]?.issue === 'window_complete' ? undefined : requireSuccess<StartedVisit>(reply);
}

export interface ReaderSitting {
  readonly reader: Reader;
  readonly random: Random;
  /** Answers without waiting. */
  readonly fast: boolean;
  readonly onProgress: (progress: Progress) => void;
}

export interface FinishedVisit {
  readonly finishReason: string;
  readonly answered: number;
  readonly nextFormCode: string | null;
}

interface Next {
  readonly outcome: string;
  readonly served: SeenItem | null;
  readonly progress: Progress;
}

export async function answerAll(
  call: ApiCall,
  { sessionId }: StartedVisit,
  sitting: ReaderSitting,
): Promise<FinishedVisit> {
  const base = `/api/diagnostic-sessions/${sessionId}`;
  for (;;) {
    const { outcome, served, progress } = requireSuccess<Next>(await call('POST', `${base}/next-item`, {}));
    sitting.onProgress(progress);
    if (served) await answer(call, base, served, sitting);
    else if (outcome !== 'no_eligible_item') break;
  }
  return requireSuccess<FinishedVisit>(await call('POST', `${base}/finish`, {}));
}

async function answer(
  call: ApiCall,
  base: string,
  item: SeenItem,
  { reader, random, fast }: ReaderSitting,
): Promise<void> {
  const { selectedOptionIndex, thinkMs } = reader.choose(item, random);
  const shownAt = performance.now();
  if (!fast) await sleep(thinkMs);
  const latencyMs = Math.round(performance.now() - shownAt);
  requireSuccess(
    await call('POST', `${base}/responses`, { servedItemId: item.servedItemId, selectedOptionIndex, latencyMs }),
  );
}
