// What measurement needs of the application.

import type { Trx } from '#core/platform/db.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import type { AudioPack, Item, ItemBanks, Passages } from '../content/index.ts';
import type { WindowEndReader } from './evidence/corrections/moment.ts';
import type { ServedSession } from './evidence/engine/served.ts';
import type { ContextReviewReader, EvidenceReader } from './evidence/reader.ts';

/** A completed session, for the evaluation of response behaviour. */
export interface CompletedSession {
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

/** A hint for an item: its error pattern and the text for the child. */
export interface Hint {
  readonly patternKey: string;
  readonly textAr: string;
}

/** Escalation of a student's error patterns in training. It changes no score and no status. */
export interface TrainingEscalation {
  /** Counts the training answers of the year so far. Idempotent. */
  escalate(trx: Trx, training: TrainingYear, now: Date): Promise<void>;
  /** Returns the hint for an item that can show a pattern with active support; else null. */
  hintFor(trx: Trx, training: TrainingYear, item: Item, now: Date): Promise<Hint | null>;
}

export interface RequestServices {
  readonly rules: ActiveRules;
  readonly itemBanks: ItemBanks;
  readonly passages: Passages;
  /** Recordings of spoken item texts. */
  readonly audio: AudioPack;
  /** Writes the response-behaviour log of a session in the session's own transaction. */
  readonly logBehaviour: (trx: Trx, worked: CompletedSession, now: Date) => Promise<void>;
  readonly training: TrainingEscalation;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    /** The sources of evidence. Each session names the source by which the rules weigh it. */
    readonly evidenceReaders?: readonly EvidenceReader[];
    readonly contextReviewReaders?: readonly ContextReviewReader[];
    /** The ends of windows whose results are stored and replayed. A correction comes after them. */
    readonly windowEndReaders?: readonly WindowEndReader[];
  }
}

declare module '#core/module/services.ts' {
  interface Services extends RequestServices {}
}
