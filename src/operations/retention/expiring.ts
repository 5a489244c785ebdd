// A table whose rows have their time; the capability whose table it is lists it.
import type { RetainedKind } from './periods.ts';

export interface Expiring {
  readonly kind: RetainedKind;
  readonly table: string;
  /** SQL of the instant from which a row's period counts; null: it has not begun. */
  readonly since: string;
}
