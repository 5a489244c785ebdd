// The class report as a document that a worker renders.
import { IntegerId, object } from '#core/http/schemas.ts';
import { jobOwner, renderPdf } from '#core/platform/pdf/printer.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { findClassInReach, SchoolClass, staff } from '#identity/people/index.ts';
import type { ReportKind } from '#messaging/documents/index.ts';
import { readClassContext } from '../classes/class-context.ts';
import { readClassReport } from '../classes/read-class-report.ts';
import { printedClassReport } from '../pages/class-report.ts';
import { requireSafeReport } from '../pages/require-safe.ts';

export const classReport: ReportKind = {
  kind: 'class_report',
  askedOnce: 'while_open',
  discloses: 'class_report',
  target: { schema: object({ classId: IntegerId }), of: (classId) => ({ classId: Number(classId) }) },
  keepDays: 7,
  mostBytes: 500_000,
  async prepare(services, trx, job) {
    const { organizationId, subject, createdAt } = job;
    const reading = { services, trx, now: services.clock.now() };
    const { report, studentIds, rules } = await readClassReport(reading, organizationId, Number(subject));
    const { bands, tiles, groups } = report;
    const described = bands.flatMap(({ labelAr, descriptionAr }) => [labelAr, descriptionAr]);
    requireSafeReport(rules, [...described, ...tiles, ...groups.map(({ titleAr }) => titleAr)]);
    const { timeZone } = await readClassContext(trx, organizationId, Number(subject));
    return {
      contentType: 'application/pdf',
      fileName: `class-report-${localDate(new Date(createdAt), timeZone)}.pdf`,
      studentIds,
      render: () => renderPdf(printedClassReport(report), jobOwner(job)),
    };
  },
  async requireReach({ trx, actor }, { organizationId, subject }) {
    const asked = SchoolClass.query(trx)
      .where({ organizationId, id: Number(subject) })
      .select('id')
      .toKnexQuery();
    await findClassInReach({ trx, actor }, asked, staff);
  },
};
