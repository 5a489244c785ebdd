// What the composition root and the workers need of replays.
export { replayModel } from './model.ts';
export { replayJobs } from './nightly.ts';
export { replayRoutes } from './routes.ts';
