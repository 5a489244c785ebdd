// What other capabilities may use of the teaser.
export { readTeaserValues } from './engine/values.ts';
export { teaserJobs } from './jobs.ts';
export { teaserRoutes } from './routes.ts';
