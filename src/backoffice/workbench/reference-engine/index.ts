// The reference engine: it checks nightly replays, and answers for tables that disagreed with it.
export { disagreementsIn } from './disagreements.ts';
export { releaseFallbacks, saveDisagreements } from './fallback.ts';
