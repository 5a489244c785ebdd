// What the composition root takes of reports.
export { reportsCapability } from './capability.ts';
