// What other parts of the service may use of the sub-flags.
export { platformAlertRoutes } from '../alerts/routes.ts';
export { trainingLadder } from './training-ladder.ts';
