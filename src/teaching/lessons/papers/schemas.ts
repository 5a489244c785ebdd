// Request and response schemas of lesson papers.
import Type from 'typebox';
import { Cuid, IntegerId, named, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { ReportStateName } from '#messaging/documents/index.ts';
import { paperVariants } from '../enums.ts';

const Variant = oneOf(paperVariants);

export const PapersBody = named(
  'SessionPapersBody',
  object({ variants: Type.Array(Variant, { minItems: 1, maxItems: paperVariants.length, uniqueItems: true }) }),
);

export const PapersRequested = named('SessionPapersRequested', object({ jobId: Cuid, state: ReportStateName }));

const variants = Type.Array(Variant);

export const RecentQuery = object({ classId: IntegerId, ...pageQuery });

export const RecentList = page(
  named(
    'SessionPapersReady',
    object({ sessionId: Cuid, jobId: Cuid, variants, finishedAt: Timestamp, fileUrl: Type.String() }),
  ),
);

export const Pdf = named(
  'SessionPdf',
  Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/pdf' }),
);
