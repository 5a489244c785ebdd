// The schemas of previews.
import Type, { type Static } from 'typebox';
import { Count, Cuid, IntegerId, named, nullable, object, oneOf, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { PossibleDuplicates } from '#identity/people/index.ts';
import { previewStates, resolutions, rowActions, rowEntities, rowReasonCodes, runErrors } from '../enums.ts';
import { ExternalLmsId } from '../schemas.ts';

const ReasonCodeName = named('LmsReasonCode', oneOf(rowReasonCodes));
const ResolutionName = named('LmsResolution', oneOf(resolutions));

const ExternalPerson = named(
  'LmsExternalPerson',
  object({
    externalId: Type.String(),
    fullNameAr: nullable(Type.String()),
    email: nullable(Type.String()),
    active: Type.Boolean(),
    childExternalIds: Type.Optional(Type.Array(Type.String())),
  }),
);
const ExternalEnrollment = named(
  'LmsExternalEnrollment',
  object({
    courseExternalId: Type.String(),
    personExternalId: Type.String(),
    role: Type.String(),
    from: nullable(Type.String()),
    to: nullable(Type.String()),
    active: Type.Boolean(),
  }),
);
const LocalPersonView = named(
  'LmsLocalPerson',
  object({
    userId: IntegerId,
    fullNameAr: nullable(Type.String()),
    email: nullable(Type.String()),
    status: Type.String(),
  }),
);
const LocalEnrollmentView = named('LmsLocalEnrollment', object({ classId: IntegerId, userId: IntegerId }));
const ChangedValue = Type.Union([Type.String(), Type.Integer(), Type.Null()]);

export const PreviewRowView = named(
  'LmsPreviewRow',
  object({
    rowId: Cuid,
    entity: oneOf(rowEntities),
    action: oneOf(rowActions),
    reasonCode: ReasonCodeName,
    external: Type.Union([ExternalPerson, ExternalEnrollment]),
    local: Type.Union([LocalPersonView, LocalEnrollmentView, Type.Null()]),
    changes: Type.Array(
      object({
        field: oneOf(['fullNameAr', 'email', 'status', 'classId', 'to']),
        from: ChangedValue,
        to: ChangedValue,
      }),
    ),
    resolution: nullable(ResolutionName),
    /** Only for a student whom the row would create: who may be the same child. */
    possibleDuplicates: Type.Optional(PossibleDuplicates),
  }),
);
export type PreviewRowView = Static<typeof PreviewRowView>;

export const LmsPreviewView = named(
  'LmsPreview',
  object({
    previewId: Cuid,
    connectionId: Cuid,
    state: oneOf([...previewStates, 'expired']),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    summary: object({ create: Count, update: Count, conflict: Count, skip: Count }),
    warnings: Type.Array(
      object({
        code: oneOf(['course_gone', 'course_forbidden', 'empty_roster', 'rows_skipped']),
        courseExternalId: Type.Optional(Type.String()),
        count: Type.Optional(Count),
      }),
    ),
    errorCode: nullable(oneOf(runErrors)),
    rows: Type.Array(PreviewRowView),
    nextCursor: nullable(Type.String()),
  }),
);

export const NewPreviewBody = named(
  'LmsNewPreviewBody',
  object({
    connectionId: Cuid,
    courseExternalIds: Type.Optional(Type.Array(ExternalLmsId, { minItems: 1, maxItems: 500, uniqueItems: true })),
  }),
);

export const PreviewQuery = named(
  'LmsPreviewQuery',
  object({ ...pageQuery, reasonCode: Type.Optional(ReasonCodeName) }),
);

export const previewParams = object({ previewId: Cuid });
export const previewRowParams = object({ previewId: Cuid, rowId: Cuid });
export const ResolveRowBody = named('LmsResolveRowBody', object({ resolution: nullable(ResolutionName) }));
export const ResolveRowsBody = named(
  'LmsResolveRowsBody',
  object({ reasonCode: ReasonCodeName, resolution: nullable(ResolutionName) }),
);
export const ResolvedRows = named('LmsResolvedRows', object({ changed: Count }));

export const CommitView = named(
  'LmsCommit',
  object({ created: Count, updated: Count, skipped: Count, conflicts_remaining: Type.Literal(0) }),
);
