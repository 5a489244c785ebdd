// What engines, of this service and of other capabilities, may use of session blueprints: pure functions and their types.
export {
  type PlanInProgress,
  type PublishedHead,
  type RecommendedSession,
  recommendSessions,
} from './recommended.ts';
