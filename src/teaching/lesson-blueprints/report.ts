// What the rules found in a batch, as it is stored and told.
import Type, { type Static } from 'typebox';
import { Count, named, object, oneOf } from '#core/http/schemas.ts';
import { findingIssues, findingLevels } from './engine/findings.ts';

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
  object({ blueprints: Count, errors: Count, warnings: Count, findings: Type.Array(Finding) }),
);
export type BatchReport = Static<typeof BatchReport>;
