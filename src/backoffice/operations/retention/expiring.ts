// Tables whose rows are kept for a limited time. Each capability lists its own.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { RetainedKind } from './periods.ts';

/** Rows are kept for the period of their kind of data. */
interface Aging {
  readonly kind: RetainedKind;
  readonly table: string;
  /** SQL of the instant at which a row's period begins; null while it has not begun. */
  readonly since: string;
}

/** Each row holds the instant at which it expires. */
interface Dated {
  readonly table: string;
  /** The column with that instant. */
  readonly until: string;
}

/** Rows have a `kind`, and rule documents define how long each kind is kept. */
interface OfKinds {
  readonly table: string;
  readonly since: string;
  /** SQL condition of the rows that expire, unless all rows do. */
  readonly only?: string;
  /** Days by kind, from the rules in force. A kind without a document is kept as long as the longest period. */
  daysOf(rules: RuleBundle): ReadonlyMap<string, number>;
}

export type Expiring = Aging | Dated | OfKinds;
