// What other parts may use of operations: health, metrics, the API description, retention.
export { type ReadinessChecks, readinessOf } from './readiness.ts';
export { keptSince, readRetention, retentionJobs } from './retention/index.ts';
export { operationsRoutes } from './routes.ts';
