// What other capabilities say about students before a roll-over is undone.
import type { Trx } from '#core/platform/db.ts';

export interface MovedStudents {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** ISO 8601: when the roll-over moved them. */
  readonly since: string;
}

export interface RollOverGuard {
  /** Locks what the writers of the rows below lock. The capabilities are asked in their order, which is that of the locks. */
  readonly lock?: (trx: Trx, moved: MovedStudents) => Promise<void>;
  /** SQL of `student_id` of `:studentIds` in `:organizationId` with evidence since `:since`, voided evidence included. */
  readonly evidence?: readonly string[];
  /** The same, of decisions about support. */
  readonly decisions?: readonly string[];
  /** Tables with a `class_id`: rows of them keep a class that the roll-over made. */
  readonly usesOfClasses?: readonly string[];
  /** Ends what the students have started since and not answered. */
  readonly discardStarted?: (trx: Trx, moved: MovedStudents) => Promise<void>;
  /** Follows the students into their former classes, before the classes that the roll-over made are removed. */
  readonly followBack?: (trx: Trx, moved: MovedStudents) => Promise<void>;
}

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly rollOverGuard?: RollOverGuard;
  }
}
