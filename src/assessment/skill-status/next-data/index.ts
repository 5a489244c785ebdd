// What other capabilities may use of the next-data plan.
export { nextDataRoutes } from './routes.ts';
