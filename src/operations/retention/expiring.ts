// A table whose rows have their time; the capability whose table it is lists it.
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

export type Expiring = Aging | Dated;
