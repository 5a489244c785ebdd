// What other parts may use of operations: health, metrics, the API description, retention.
export { operationsCapability } from './capability.ts';
export { makeLedgerYears } from './ledger-years.ts';
export { outboxParked } from './outbox-retention.ts';
export { openOperationsPort } from './port.ts';
export { reportProcess, watchWrites } from './process-report.ts';
export { queueStatesOf } from './queue-states.ts';
export { type ReadinessChecks, readinessOf, untilReady } from './readiness.ts';
export { retainedSince } from './retention/periods.ts';
export { watchAll } from './watch.ts';
export { WorkStateView, workState } from './work-state.ts';
