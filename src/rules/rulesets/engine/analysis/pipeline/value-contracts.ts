// Value contracts: which values code passes from one table to the next. A new value in a table is refused until every
// reader knows it.
import type { DocumentName } from '../../document/document.ts';

interface Source {
  readonly from: DocumentName;
  /** `outcome` or another parameter of the event. */
  readonly param: string;
  /** Whether a rule may leave the parameter out. */
  readonly optional?: boolean;
  /** Values that code does not pass on. */
  readonly except?: readonly string[];
}

/** Feeds a fact of another table. `also` are values that code substitutes for a missing answer. */
export interface TableContract extends Source {
  readonly to: DocumentName;
  readonly fact: string;
  readonly also?: readonly string[];
}

/** Read by code, which knows these words or numbers of this range. */
export interface ReaderContract extends Source {
  readonly reader: string;
  readonly accepts: readonly string[] | { readonly min: number; readonly max: number };
}

export type ValueContract = TableContract | ReaderContract;
