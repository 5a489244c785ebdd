// The report on a batch, as stored and returned.
import Type, { type Static } from 'typebox';
import { Count, named, object, oneOf } from '#core/http/schemas.ts';
import { findingIssues, findingLevels } from './engine/findings.ts';

const Finding = named(
  'BlueprintFinding',
  object({
    ruleId: Type.String(),
    level: oneOf(findingLevels),
    /** Dotted path in the body of the import. */
    path: Type.String(),
    issue: oneOf(findingIssues),
  }),
);
export type ReportedFinding = Static<typeof Finding>;

/** The counts include all findings. When the list is truncated, errors come first. */
export const BatchReport = named(
  'BlueprintImportReport',
  object({ blueprints: Count, errors: Count, warnings: Count, findings: Type.Array(Finding) }),
);
export type BatchReport = Static<typeof BatchReport>;
