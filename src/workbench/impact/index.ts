// What the rest of the service may use of impacts.
export { impactModel } from './model.ts';
export { impactRoutes } from './routes.ts';
