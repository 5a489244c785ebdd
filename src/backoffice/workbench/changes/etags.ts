// The ETags of a change and of its documents, which the next edit quotes.
import { AppError, invalid } from '#core/platform/errors.ts';
import type { ChangeDocument, ChangeRow } from './store.ts';

/** The value of the header and of `etag` in the body: quotes included. */
export const etagOfChange = ({ sha256 }: Pick<ChangeRow, 'sha256'>): string => `"${sha256}"`;

export const etagOfDocument = ({ sha256, casesSha256 }: Pick<ChangeDocument, 'sha256' | 'casesSha256'>): string =>
  `"${sha256}-${casesSha256 ?? 'none'}"`;

/** Throws VALIDATION_ERROR where the header is missing. */
export function requireIfMatch(ifMatch: string | undefined): asserts ifMatch is string {
  if (ifMatch === undefined) throw invalid('If-Match', 'is required: send the ETag of what you have changed');
}

/** Throws PRECONDITION_FAILED where the text is another one by now. */
export function requireSeen(etag: string, ifMatch: string): void {
  if (etag === ifMatch) return;
  throw new AppError('PRECONDITION_FAILED', 'It was changed meanwhile. Read it again, then repeat your change.');
}
