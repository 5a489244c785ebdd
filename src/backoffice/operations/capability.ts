// Operations as a capability: health, metrics, the description of the API and the daily purges.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { ledgerYearJobs } from './ledger-years.ts';
import { outboxJobs, outboxParked } from './outbox-retention.ts';
import { operationsProbes } from './qa.ts';
import { documentSchemas } from './retention/document-schemas.ts';
import { retentionJobs } from './retention/jobs.ts';
import { readRetention } from './retention/periods.ts';
import { operationsRoutes } from './routes.ts';

export const operationsCapability: Capability = {
  name: 'operations',
  documentSchemas,
  probes: operationsProbes,
  routes: ({ routes }) => operationsRoutes(routes),
  ...mergeJobs([outboxJobs, retentionJobs, ledgerYearJobs]),
  alerts: [outboxParked],
  ruleFamilies: [{ family: 'operations' }],
  ruleReaders: [readRetention],
  retention: [{ kind: 'idempotencyAnswers', table: 'idempotent_answer', since: 'kept_at' }],
};
