// What the composition root needs of platform alerts.
export { platformAlertRoutes } from './routes.ts';
