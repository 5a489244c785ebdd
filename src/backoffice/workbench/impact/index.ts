// What the rest of the service may use of impacts.

export { impactRoutes } from './routes.ts';
export { impactModel } from './steps/model.ts';
