// The pure part of the public API of lesson blueprints.
export {
  type ActiveAssignment,
  type PublishedHead,
  type RecommendedLesson,
  recommendLessons,
} from './recommended.ts';
