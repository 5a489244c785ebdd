// Responds with one draft.
import { notFound } from '#core/platform/errors.ts';
import { etagOf } from './edit.ts';
import { type DraftReader, presentDrafts } from './present.ts';
import type { DraftRow } from './store.ts';

type Draft = Awaited<ReturnType<typeof presentDrafts>>[number];

interface Sent<Status extends number> {
  readonly status: Status;
  readonly body: Draft;
}

/** The draft with its ETag, which the next edit sends; `answer` sets the status of the response. */
export async function withEtag<Status extends number>(
  reader: DraftReader,
  row: DraftRow,
  answer: (body: Draft) => Sent<Status>,
) {
  const [draft] = await presentDrafts(reader, [row]);
  if (!draft) throw notFound();
  return { ...answer(draft), headers: { etag: etagOf(row) } };
}
