// Schemas of starting a PDF report.
import { Cuid, named, object } from '#core/http/schemas.ts';

export const NoParts = named('ReportPdfBody', object({}));
export const ReportAsked = named('ReportAsked', object({ jobId: Cuid }));
