// Some runs of a replay, each executed again: what one thread works at.
import { inReadOnlyContext } from '../../platform/db.ts';
import { type Reading, type ReplayedRun, replayRuns, runsBySeq } from '../../skill-status/index.ts';
import type { ChunkTask } from '../chunks/chunks.ts';

export interface ReplayChunk {
  readonly organizationId: string;
  /** Numbers of runs, ascending. */
  readonly seqs: readonly number[];
}

export const replayChunk: ChunkTask<ReplayChunk, readonly ReplayedRun[]> = {
  name: 'replay',
  async run(services, { organizationId, seqs }) {
    const reading: Reading = (work) => inReadOnlyContext(services.db, { organizationId }, work);
    const runs = await reading((trx) => runsBySeq(trx, organizationId, seqs));
    return runs.length === 0 ? [] : replayRuns(reading, services, runs);
  },
};
