// Some runs of a replay, each executed again: what one thread works at.
import { readingIn } from '../../platform/db.ts';
import { type ReplayedRun, replayRuns, runsBySeq } from '../../skill-status/index.ts';
import type { ChunkTask } from '../chunks/chunks.ts';

export interface ReplayChunk {
  readonly organizationId: string;
  /** Numbers of runs, ascending. */
  readonly seqs: readonly number[];
}

export const replayChunk: ChunkTask<ReplayChunk, readonly ReplayedRun[]> = {
  name: 'replay',
  async run(services, { organizationId, seqs }) {
    const reading = readingIn(services.db, { organizationId });
    const runs = await reading((trx) => runsBySeq(trx, organizationId, seqs));
    if (runs.length === 0) return [];
    const replayed = await replayRuns(reading, services, runs);
    const sound = new Set(replayed.flatMap(({ runId, verdict }) => (verdict === 'same' ? [runId] : [])));
    const replayers = services.capabilities.flatMap(({ runFollowers = [], runReplayers = [] }) => [
      ...runFollowers,
      ...runReplayers,
    ]);
    const followed: ReadonlyMap<string, readonly string[]>[] = [];
    for (const replayer of replayers) {
      followed.push(
        await replayer.again(
          reading,
          services,
          runs.filter(({ id }) => sound.has(id)),
        ),
      );
    }
    return replayed.map((run) => withFollowed(run, followed));
  },
};

/** What followed from a run that itself came out the same may still differ. */
function withFollowed(run: ReplayedRun, followed: readonly ReadonlyMap<string, readonly string[]>[]): ReplayedRun {
  const fields = followed.flatMap((found) => found.get(run.runId) ?? []);
  return fields.length === 0 ? run : { ...run, verdict: 'rules_differ', fields: [...run.fields, ...fields] };
}
