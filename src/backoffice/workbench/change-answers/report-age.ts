// For how long an impact report may be quoted. The number is held by the document alone.
import { dayMs } from '#core/platform/pure/dates/durations.ts';
import { type DocumentSchemas, type RuleBundle, schemaBuilders } from '#rules/rulesets/index.ts';

const { strict, text } = schemaBuilders;
const name = 'operations/approvals';

export const approvalSchemas: DocumentSchemas = {
  sections: {
    [name]: { reports: strict({ days: { type: 'integer', minimum: 1, maximum: 366 }, rationale: text }) },
  },
};

interface ApprovalsDocument {
  readonly reports: { readonly days: number };
}

/** Returns milliseconds. Throws BundleError when the document is missing. */
export const readReportLife = (bundle: RuleBundle): number =>
  bundle.values<ApprovalsDocument>(name).reports.days * dayMs;
