// What measurement needs of the application.

import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { AudioPack, Item, ItemBanks, Passages } from '../content/index.ts';
import type { ServedSession } from './evidence/engine/served.ts';
import type { ContextReviewReader, EvidenceReader } from './evidence/reader.ts';

/** How one session was worked through, for whoever judges response behaviour. */
export interface WorkedSession {
  readonly organizationId: string;
  readonly studentId: number;
  readonly schoolYear: string;
  readonly session: ServedSession;
}

/** A student's training in one school year. */
export interface TrainingYear {
  readonly organizationId: string;
  readonly studentId: number;
  readonly schoolYear: string;
}

/** Help that comes with an item: the error pattern it is about, and what the child is told. */
export interface Hint {
  readonly patternKey: string;
  readonly textAr: string;
}

/** What training shows of a student's error patterns over time. It changes no score and no status. */
export interface TrainingEscalation {
  /** Counts what the training answers of the year show so far. Again: nothing new. */
  escalate(trx: Trx, training: TrainingYear, now: Date): Promise<void>;
  /** The hint for an item that can show a pattern for which support is active; else null. */
  hintFor(trx: Trx, training: TrainingYear, item: Item, now: Date): Promise<Hint | null>;
}

export interface RequestServices {
  readonly rules: ActiveRules;
  readonly itemBanks: ItemBanks;
  readonly passages: Passages;
  /** Recordings of what items say. */
  readonly audio: AudioPack;
  /** Writes the response-behaviour log of a session in the session's own transaction. */
  readonly logBehaviour: (trx: Trx, worked: WorkedSession, now: Date) => Promise<void>;
  readonly training: TrainingEscalation;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** What the engine is fed with. Each session names the source as which the rules weigh it. */
    readonly evidenceReaders?: readonly EvidenceReader[];
    readonly contextReviewReaders?: readonly ContextReviewReader[];
  }
}

declare module '#core/module/services.ts' {
  interface Services extends RequestServices {}
}
