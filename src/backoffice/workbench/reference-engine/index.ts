// The reference engine beside the engine: what nightly replays ask of it, and the tables that it answers in the engine's place.
export { disagreementsIn } from './disagreements.ts';
export { releaseFallbacks, saveDisagreements } from './fallback.ts';
