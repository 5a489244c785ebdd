// Imports and approvals as responses.
import type { BatchRow } from '../rows/batches.ts';
import type { PublishedBatch } from '../rows/publish.ts';

export const presentBatch = ({ id, batchCode, state, importedBy, createdAt, report }: BatchRow) => ({
  batchId: id,
  batchCode,
  state,
  importedBy,
  createdAt,
  report: {
    blueprints: report.blueprints,
    errors: report.errors,
    warnings: report.warnings,
    findings: report.findings.map(({ ruleId, level, path, issue }) => ({ ruleId, level, path, issue })),
  },
});

export const presentApproval = (batchId: string, { published, skipped }: PublishedBatch) => ({
  batchId,
  state: 'approved' as const,
  published: published.map(({ blueprintId, blueprintCode, version }) => ({ blueprintId, blueprintCode, version })),
  skipped: [...skipped],
});
