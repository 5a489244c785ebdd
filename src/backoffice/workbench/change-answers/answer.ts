// Responds with one change.
import { ok } from '#core/http/answers.ts';
import { etagOfChange } from '../changes/etags.ts';
import type { ChangeRow } from '../changes/store.ts';
import { type ChangeReader, presentOne } from './present.ts';

/** The change with its ETag, which the next edit sends. */
export const changeAnswer = async (reader: ChangeReader, row: ChangeRow) => ({
  ...ok(await presentOne(reader, row)),
  headers: { etag: etagOfChange(row) },
});
