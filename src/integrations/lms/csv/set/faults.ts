// What is wrong with the structure of an uploaded set: all that is found, up to a hundred; nothing of what the cells hold.
import { AppError, type ErrorDetail } from '#core/platform/errors.ts';

export type StructureIssue =
  | 'not_an_archive'
  | 'broken_archive'
  | 'unsafe_entry'
  | 'too_many_entries'
  | 'too_large'
  | 'missing_file'
  | 'unknown_version'
  | 'unknown_mode'
  | 'duplicate_property'
  | 'empty_file'
  | 'encoding_not_utf8'
  | 'nul_byte'
  | 'unclosed_quote'
  | 'text_after_quote'
  | 'missing_column'
  | 'wrong_separator'
  | 'duplicate_column'
  | 'too_many_columns'
  | 'too_many_fields'
  | 'too_long'
  | 'bad_id'
  | 'duplicate_id'
  | 'cycle'
  | 'no_bulk_set';

const maxDetails = 100;

export class Faults {
  readonly #details: ErrorDetail[] = [];

  /** `field`: `users.csv`, `users.csv:12` or `users.csv:12:email`. */
  add(field: string, issue: StructureIssue): void {
    if (this.#details.length < maxDetails) this.#details.push({ field, issue });
  }

  get isFull(): boolean {
    return this.#details.length === maxDetails;
  }

  get areNone(): boolean {
    return this.#details.length === 0;
  }

  /** Throws VALIDATION_ERROR where anything was found. */
  refuse(): void {
    if (this.areNone) return;
    const message = 'The files are not a OneRoster set that can be read; see details.';
    throw new AppError('VALIDATION_ERROR', message, { details: this.#details });
  }
}

/** Reading a file ends here: what stands behind it cannot be told from what it spoilt. */
export class StructureFault extends Error {
  override readonly name = 'StructureFault';
  readonly issue: StructureIssue;
  /** On which the record starts, the header being 1; undefined: the whole file. */
  readonly line: number | undefined;

  constructor(issue: StructureIssue, line?: number) {
    super(issue);
    this.issue = issue;
    this.line = line;
  }
}

/** The file has no columns that its rows could be read by; everything that is wrong with them was noted. */
export class UnreadableHeader extends Error {
  override readonly name = 'UnreadableHeader';
}

/** One refusal of a whole archive, or of its entry of this number, the first being 1. */
export function refuseArchive(issue: StructureIssue, entry?: number): never {
  const faults = new Faults();
  faults.add(entry === undefined ? 'files' : `files:${entry}`, issue);
  faults.refuse();
  throw new RangeError('a fault refuses');
}
