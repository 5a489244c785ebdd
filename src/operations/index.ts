// What other parts may use of operations: health, metrics, the API description, retention.
export { ledgerYearJobs, makeLedgerYears } from './ledger-years.ts';
export { openOperationsPort } from './port.ts';
export { type ReadinessChecks, readinessOf } from './readiness.ts';
export { keptSince, readRetention, retentionJobs } from './retention/index.ts';
export { operationsRoutes } from './routes.ts';
export { watchAll } from './watch.ts';
