// Response schemas of imports and of their approval.
import Type from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { batchStates } from '../enums.ts';
import { BatchReport } from '../report.ts';
import { BatchCode, Blueprint } from '../schemas.ts';

export const BatchView = named(
  'BlueprintImport',
  object({
    batchId: Cuid,
    batchCode: BatchCode,
    state: oneOf(batchStates),
    /** Null for the batch of a release. */
    importedBy: nullable(IntegerId),
    createdAt: Timestamp,
    report: BatchReport,
  }),
);
export const BatchPage = named('BlueprintImports', page(BatchView));
export const BatchQuery = object(pageQuery);
export const batchParams = object({ batchId: Cuid });

const PublishedBlueprint = object({
  blueprintId: Cuid,
  blueprintCode: Blueprint.properties.blueprintCode,
  version: Type.Integer({ minimum: 1 }),
});

export const ApprovedBatch = named(
  'ApprovedBlueprintImport',
  object({
    batchId: Cuid,
    state: Type.Literal('approved'),
    published: Type.Array(PublishedBlueprint),
    /** Codes whose published version has the same content. */
    skipped: Type.Array(Blueprint.properties.blueprintCode),
  }),
);
