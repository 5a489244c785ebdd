// What other parts of the service may use of the next-data plan.
export { nextDataRoutes } from './routes.ts';
