// How far a replay has come, and what it has found until then. Pure.

import type { ReplayedRun } from '#assessment/skill-status/index.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { differingVerdicts } from '../enums.ts';

export interface ReplayCounts {
  readonly same: number;
  readonly inputsDiffer: number;
  readonly rulesDiffer: number;
}

export interface ReplayPosition {
  /** Of a job over the whole platform: the organization that is looked at; null before the first one. */
  readonly organizationId: string | null;
  /** Number of the last run that was looked at. */
  readonly after: number;
  /** A night has come to the end of the line and has started again. */
  readonly wrapped: boolean;
  readonly done: number;
  /** Numbers of the first and the last run; null before the first one. */
  readonly fromSeq: number | null;
  readonly toSeq: number | null;
  readonly counts: ReplayCounts;
  /** Of the rows so far: each row is hashed together with the hash before it. Empty without rows. */
  readonly rowsHash: string;
}

export type ReplayReport = Pick<ReplayPosition, 'fromSeq' | 'toSeq' | 'counts' | 'rowsHash'>;

/** A run that did not come out the same, as it is kept. */
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

/** `seqs`: numbers of the runs that were looked at. */
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
