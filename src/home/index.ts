// What the composition root needs of the start page.
export { homeRoutes } from './routes.ts';
