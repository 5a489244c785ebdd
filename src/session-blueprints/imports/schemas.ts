// What is told of an import: what the rules found in it, and what its approval published.
import Type, { type Static } from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '../../http/schemas.ts';
import { findingIssues, findingLevels } from '../engine/findings.ts';
import { BatchCode, Blueprint } from '../schemas.ts';
import { batchStates } from '../words.ts';

const count = Type.Integer({ minimum: 0 });

const Finding = named(
  'BlueprintFinding',
  object({
    ruleId: Type.String(),
    level: oneOf(findingLevels),
    /** Dotted, from the body of the import. */
    path: Type.String(),
    issue: oneOf(findingIssues),
  }),
);
export type ReportedFinding = Static<typeof Finding>;

/** Counts are of all findings; where there are more than can be listed, errors come first. */
export const BatchReport = named(
  'BlueprintImportReport',
  object({ blueprints: count, errors: count, warnings: count, findings: Type.Array(Finding) }),
);
export type BatchReport = Static<typeof BatchReport>;

export const BatchView = named(
  'BlueprintImport',
  object({
    batchId: Cuid,
    batchCode: BatchCode,
    state: oneOf(batchStates),
    /** Null for what came with a release. */
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
    /** Codes whose published version says the same. */
    skipped: Type.Array(Blueprint.properties.blueprintCode),
  }),
);
