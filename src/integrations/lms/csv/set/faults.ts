// Collects the structural faults of an uploaded set, at most a hundred, without any content of its cells.
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

export class CsvFaults {
  readonly #details: ErrorDetail[] = [];

  /** `field`: for example `users.csv`, `users.csv:12` or `users.csv:12:email`. */
  add(field: string, issue: StructureIssue): void {
    if (this.#details.length < maxDetails) this.#details.push({ field, issue });
  }

  get isFull(): boolean {
    return this.#details.length === maxDetails;
  }

  get areNone(): boolean {
    return this.#details.length === 0;
  }

  /** Throws VALIDATION_ERROR when there is a fault. */
  refuse(): void {
    if (this.areNone) return;
    const message = 'The files are not a OneRoster set that can be read; see details.';
    throw new AppError('VALIDATION_ERROR', message, { details: this.#details });
  }
}

/** Reading a file ends with this error, because the fault makes the rest of the file ambiguous. */
export class StructureFault extends Error {
  override readonly name = 'StructureFault';
  readonly issue: StructureIssue;
  /** The line on which the record starts, the header being 1. Undefined: the whole file. */
  readonly line: number | undefined;

  constructor(issue: StructureIssue, line?: number) {
    super(issue);
    this.issue = issue;
    this.line = line;
  }
}

/** The columns that the rows need are missing. The faults were recorded. */
export class UnreadableHeader extends Error {
  override readonly name = 'UnreadableHeader';
}

/** Refuses the whole archive, or its entry of this number, counted from 1. */
export function refuseArchive(issue: StructureIssue, entry?: number): never {
  const faults = new CsvFaults();
  faults.add(entry === undefined ? 'files' : `files:${entry}`, issue);
  faults.refuse();
  throw new RangeError('a fault refuses');
}
