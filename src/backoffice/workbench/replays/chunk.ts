// Replays some runs of a job in one thread.

import { type ReplayedRun, replayRuns, runsBySeq, type SoundRun } from '#assessment/skill-status/index.ts';
import { readTransactionIn } from '#core/platform/db.ts';
import type { ChunkTask } from '../chunks.ts';

export interface ReplayChunk {
  readonly organizationId: string;
  /** Ascending numbers of runs. */
  readonly seqs: readonly number[];
}

/** `seq`: the number of the run. */
export interface NumberedReplay extends ReplayedRun {
  readonly seq: number;
}

export const replayChunk: ChunkTask<ReplayChunk, readonly NumberedReplay[]> = {
  name: 'replay',
  async run(services, { organizationId, seqs }) {
    const reading = readTransactionIn(services.db, { organizationId });
    const runs = await reading((trx) => runsBySeq(trx, organizationId, seqs));
    if (runs.length === 0) return [];
    const executed = await replayRuns(reading, services, runs);
    const evaluations = new Map(
      executed.map(({ runId, verdict, evaluation }) => [runId, verdict === 'same' && evaluation]),
    );
    const sound = runs.flatMap((run): SoundRun[] => {
      const evaluation = evaluations.get(run.id);
      return evaluation ? [{ ...run, evaluation }] : [];
    });
    const replayers = services.capabilities.flatMap(({ runProjections = [], runReplayers = [] }) => [
      ...runProjections,
      ...runReplayers,
    ]);
    const followed: ReadonlyMap<string, readonly string[]>[] = [];
    for (const replayer of replayers) followed.push(await replayer.replay(reading, services, sound));
    const seqOf = new Map(runs.map(({ id, seq }) => [id, seq]));
    return executed.map(({ runId, verdict, fields }) => {
      return { seq: seqOf.get(runId) ?? 0, ...withFollowed({ runId, verdict, fields }, followed) };
    });
  },
};

/** What was derived from a run may differ although the run itself is the same. */
function withFollowed(run: ReplayedRun, followed: readonly ReadonlyMap<string, readonly string[]>[]): ReplayedRun {
  const fields = followed.flatMap((found) => found.get(run.runId) ?? []);
  return fields.length === 0 ? run : { ...run, verdict: 'rules_differ', fields: [...run.fields, ...fields] };
}
