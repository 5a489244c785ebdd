// Creates documents with SQL, without rendering them.
import { newId } from '#core/platform/ids.ts';
import type { UserRow } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';

/** Creates a finished job of an administrator. */
export async function finishedReport(
  { database: { owner }, clock }: TestApp,
  by: UserRow,
  about: { readonly kind: string; readonly subject: string },
): Promise<string> {
  const id = newId();
  const { organizationId } = by;
  const at = clock.now();
  const expiresAt = new Date(at.getTime() + 10_000_000);
  await owner('report_job').insert({
    ...{ organizationId, id, ...about, input: '{}', contentKey: id, requestedBy: by.id },
    ...{ state: 'done', done: 1, total: 1, createdAt: at, finishedAt: at, expiresAt, keptUntil: expiresAt },
  });
  const file = { bytes: Buffer.from('%PDF-'), contentType: 'application/pdf', fileName: 'session-2026-01-15.pdf' };
  await owner('report_file').insert({ organizationId, jobId: id, ...file, expiresAt });
  return id;
}
