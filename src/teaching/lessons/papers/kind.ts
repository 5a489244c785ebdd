// The report kind of lesson papers, which workers render.
import { Cuid, object } from '#core/http/schemas.ts';
import type { Trx } from '#core/platform/db.ts';
import { jobOwner } from '#core/platform/pdf/printer.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { findClassInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { type ReportKind, ReportRefusal } from '#messaging/documents/index.ts';
import { lessonPdfKind, orderOf } from '../rows/pdf-jobs.ts';
import { findLesson, LessonRow } from '../rows/store.ts';
import { printVariants } from './print.ts';
import { readPaper } from './read-paper.ts';

export const lessonPdf: ReportKind = {
  kind: lessonPdfKind,
  askedOnce: 'while_kept',
  discloses: 'session_papers',
  target: { schema: object({ sessionId: Cuid }), of: (sessionId) => ({ sessionId }) },
  keepDays: 14,
  mostBytes: 500_000,
  async prepare(services, trx, job) {
    const row = await findLesson(trx, job.organizationId, job.subject);
    if (!row) throw new RangeError('the lesson does not exist');
    const { variants } = orderOf(job);
    const { paper, studentIds, isSafe } = await readPaper({ services, trx, now: services.clock.now() }, row);
    if (!isSafe) throw new ReportRefusal('language_unsafe', 'a sentence does not pass the language rules');
    const isArchive = variants.length > 1;
    return {
      contentType: isArchive ? 'application/zip' : 'application/pdf',
      fileName: `${await fileNameOf(trx, row, new Date(job.createdAt))}.${isArchive ? 'zip' : 'pdf'}`,
      studentIds: variants.some((variant) => variant !== 'answer_key') ? studentIds : [],
      render: () => printVariants(paper, variants, jobOwner(job)),
    };
  },
  async requireReach({ trx, actor }, { organizationId, subject }) {
    const ofClass = LessonRow.query(trx).where({ organizationId, id: subject }).select('classId').toKnexQuery();
    await findClassInReach({ trx, actor }, ofClass, teachersAndAdmins);
  },
};

/** Returns the file name without extension, with the local date of the class. */
export async function fileNameOf(trx: Trx, { organizationId, classId }: LessonRow, at: Date): Promise<string> {
  const { timeZone } = await trx('class as c')
    .join('organization as o', 'o.id', 'c.organizationId')
    .join('school as s', (on) => on.on('s.organizationId', 'c.organizationId').andOn('s.id', 'c.schoolId'))
    .where({ 'c.organizationId': organizationId, 'c.id': classId })
    .first({ timeZone: trx.raw('coalesce(s.time_zone, o.time_zone)') });
  return `session-${localDate(at, timeZone)}`;
}
