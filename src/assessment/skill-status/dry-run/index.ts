// What the composition root needs of dry runs.
export { dryRunRoutes } from './routes.ts';
