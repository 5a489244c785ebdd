// The board report as a document that a worker renders. It contains no names of people.
import { Cuid, object } from '#core/http/schemas.ts';
import { denied } from '#core/platform/errors.ts';
import { jobOwner, renderPdf } from '#core/platform/pdf/printer.ts';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { ReportKind } from '#messaging/documents/index.ts';
import { readBoardReport } from '../board/read-board-report.ts';
import { printedBoardReport } from '../pages/board-report.ts';
import { requireSafeReport } from '../pages/require-safe.ts';

export const boardReport: ReportKind = {
  kind: 'board_report',
  askedOnce: 'while_open',
  discloses: null,
  target: { schema: object({ orgId: Cuid }), of: (orgId) => ({ orgId }) },
  keepDays: 7,
  mostBytes: 500_000,
  async prepare(services, trx, job) {
    const { subject, createdAt } = job;
    const { report, rules, timeZone } = await readBoardReport({ services, trx, now: services.clock.now() }, subject);
    const described = report.bands.flatMap(({ labelAr, descriptionAr }) => [labelAr, descriptionAr]);
    requireSafeReport(rules, [...described, ...report.tiles.map(({ nameAr }) => nameAr)]);
    return {
      contentType: 'application/pdf',
      fileName: `board-report-${localDate(new Date(createdAt), timeZone)}.pdf`,
      studentIds: [],
      render: () => renderPdf(printedBoardReport(report), jobOwner(job)),
    };
  },
  async requireReach({ actor }) {
    if (!actor.permissions.has('VIEW_ORG_AGGREGATES')) throw denied();
  },
};
