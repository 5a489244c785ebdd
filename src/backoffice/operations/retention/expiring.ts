// A table whose rows have their time; the capability whose table it is lists it.
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { RetainedKind } from './periods.ts';

/** Kept for the period of its kind. */
interface Aging {
  readonly kind: RetainedKind;
  readonly table: string;
  /** SQL of the instant from which a row's period counts; null: it has not begun. */
  readonly since: string;
}

/** Each row says when its time has passed. */
interface Dated {
  readonly table: string;
  /** Column of the instant. */
  readonly until: string;
}

/** Rows have a `kind`, and rule documents say how long each is kept. */
interface OfKinds {
  readonly table: string;
  readonly since: string;
  /** SQL of the rows that are meant, where it is not all of them. */
  readonly only?: string;
  /** By kind, of the rules in force. What no document knows any more is kept as long as the one that is kept longest. */
  daysOf(rules: RuleBundle): ReadonlyMap<string, number>;
}

export type Expiring = Aging | Dated | OfKinds;
