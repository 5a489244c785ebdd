// Finished papers of a class's lessons.

import type { Static } from 'typebox';
import { defaultLimit, keyInCursor, type Page, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import type { ClassInScope } from '#identity/people/index.ts';
import { fileUrlOf, type KnownReport, reportsWithFiles } from '#messaging/documents/index.ts';
import { lessonPdfKind as kind, orderOf } from '../rows/pdf-jobs.ts';
import { LessonRow } from '../rows/store.ts';
import { lessonPdf } from './kind.ts';
import type { RecentList, RecentQuery } from './schemas.ts';

type RecentPaper = Static<typeof RecentList>['items'][number];

const { keepDays } = lessonPdf;

/** Returns the papers whose file is still stored, newest first. */
export async function recentPapers(
  trx: Trx,
  { organizationId, id: classId }: ClassInScope,
  { limit = defaultLimit, cursor }: Static<typeof RecentQuery>,
  now: Date,
): Promise<Page<RecentPaper>> {
  const sessions = LessonRow.query(trx).where({ organizationId, classId }).select('id');
  const query = reportsWithFiles(trx)
    .where({ organizationId, kind, state: 'done' })
    .whereIn('subject', sessions)
    .where('finishedAt', '>', new Date(now.getTime() - keepDays * dayMs).toISOString())
    .whereExists(
      trx('report_file as f').whereRaw('f.organization_id = report_job.organization_id and f.job_id = report_job.id'),
    )
    .orderBy([
      { column: 'finishedAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  const before = keyInCursor(cursor, ['instant', 'string']);
  if (before) query.whereRaw('(finished_at, id) < (?::timestamptz, ?)', [String(before[0]), String(before[1])]);
  const found = (await query) as KnownReport[];
  return pageOf(found, limit, (job) => [finishedAtOf(job), job.id], presentPaper);
}

const finishedAtOf = ({ finishedAt, createdAt }: KnownReport): string => finishedAt ?? createdAt;

const presentPaper = (job: KnownReport): RecentPaper => ({
  sessionId: job.subject,
  jobId: job.id,
  variants: [...orderOf(job).variants],
  finishedAt: finishedAtOf(job),
  fileUrl: fileUrlOf(job.id),
});
