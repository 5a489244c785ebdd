// The progress of a replay, and what it has found so far. Pure.

import type { ReplayedRun } from '#assessment/skill-status/index.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { differingVerdicts } from '../enums.ts';

export interface ReplayCounts {
  readonly same: number;
  readonly inputsDiffer: number;
  readonly rulesDiffer: number;
}

export interface ReplayPosition {
  /** For a job over the whole platform, the organization that is replayed at present; null before the first one. */
  readonly organizationId: string | null;
  /** The number of the last run that was replayed. */
  readonly after: number;
  /** Whether a night has passed the newest run and continued with the first. */
  readonly wrapped: boolean;
  readonly done: number;
  /** Numbers of the first and the last run; null before the first one. */
  readonly fromSeq: number | null;
  readonly toSeq: number | null;
  readonly counts: ReplayCounts;
  /** Hash of the rows so far, each hashed together with the hash before it. Empty while there are no rows. */
  readonly rowsHash: string;
}

export type ReplayReport = Pick<ReplayPosition, 'fromSeq' | 'toSeq' | 'counts' | 'rowsHash'>;

/** A run with another result, as it is stored. */
export interface ReplayRow {
  readonly stampId: string;
  readonly verdict: (typeof differingVerdicts)[number];
  readonly fields: readonly string[];
}

export const noCounts: ReplayCounts = { same: 0, inputsDiffer: 0, rulesDiffer: 0 };

export const startAfter = (after: number): ReplayPosition => ({
  organizationId: null,
  after,
  wrapped: false,
  done: 0,
  fromSeq: null,
  toSeq: null,
  counts: noCounts,
  rowsHash: '',
});

export const differingRows = (replayed: readonly ReplayedRun[]): ReplayRow[] =>
  replayed.flatMap(({ runId, verdict, fields }) =>
    verdict === 'same' ? [] : [{ stampId: `run:${runId}`, verdict, fields }],
  );

/** `seqs`: numbers of the runs that were replayed. */
export function advanced(
  before: ReplayPosition,
  seqs: readonly number[],
  replayed: readonly ReplayedRun[],
): ReplayPosition {
  const count = (verdict: ReplayedRun['verdict']) => replayed.filter((one) => one.verdict === verdict).length;
  const last = seqs.at(-1);
  return {
    ...before,
    after: last ?? before.after,
    done: before.done + seqs.length,
    fromSeq: before.fromSeq ?? seqs[0] ?? null,
    toSeq: last ?? before.toSeq,
    counts: {
      same: before.counts.same + count('same'),
      inputsDiffer: before.counts.inputsDiffer + count('inputs_differ'),
      rulesDiffer: before.counts.rulesDiffer + count('rules_differ'),
    },
    rowsHash: differingRows(replayed).reduce((hash, row) => sha256Hex(hash + canonicalJson(row)), before.rowsHash),
  };
}
