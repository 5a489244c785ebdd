// The oracle beside the engine: what nightly replays ask of it, and the tables that it answers in the engine's place.
export { disagreementsIn } from './disagreements.ts';
export { keepDisagreements, releasePins } from './pins.ts';
