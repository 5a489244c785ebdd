// How a pipeline's owner says which words its code carries from one table to the next, so that a new word in one table is
// refused until everything that reads it knows it.
import type { DocumentName } from '../../document/document.ts';

interface Source {
  readonly from: DocumentName;
  /** `outcome` or another parameter of the event. */
  readonly param: string;
  /** Whether a rule may leave the parameter out. */
  readonly optional?: boolean;
  /** Words that code keeps back: they are read by nobody further on. */
  readonly except?: readonly string[];
}

/** Feeds a fact of another table; `also` are words that code puts in place of an answer that is not there. */
export interface TableWire extends Source {
  readonly to: DocumentName;
  readonly fact: string;
  readonly also?: readonly string[];
}

/** Read by code that counts, weighs or shows: it knows these words, or numbers of this range. */
export interface ReaderWire extends Source {
  readonly reader: string;
  readonly accepts: readonly string[] | { readonly min: number; readonly max: number };
}

export type ValueContract = TableWire | ReaderWire;
