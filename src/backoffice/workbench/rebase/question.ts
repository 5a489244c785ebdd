// What a thread is asked to merge.
import type { Side } from './engine/three-way.ts';

/** What the thread merges: texts as JSON, one for each document whose base moved. */
export interface RebaseQuestion {
  readonly texts: readonly RebasedText[];
}

export interface RebasedText {
  readonly base: StoredText | null;
  readonly theirs: StoredText | null;
  readonly mine: StoredText;
  readonly version: number;
  readonly sides: readonly (readonly [path: string, side: Side])[];
}

interface StoredText {
  readonly document: string;
  readonly cases: string | null;
}
