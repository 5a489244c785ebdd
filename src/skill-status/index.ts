// What other capabilities may use of the skill-status engine.
export { isHalted } from './engine/halted.ts';
export { skillStatusJobs } from './jobs.ts';
export {
  type CurrentRun,
  type CurrentState,
  currentDomains,
  currentSkills,
  currentState,
  type StudentInYear,
} from './queries.ts';
export { recomputeStudents } from './recompute.ts';
export { type Replay, replayRun } from './replay.ts';
export { type RecomputeTrigger, requestRecomputes } from './requests.ts';
export { skillStatusRoutes } from './routes.ts';
export type { DomainRow, SkillRow, Trigger } from './tables.ts';
