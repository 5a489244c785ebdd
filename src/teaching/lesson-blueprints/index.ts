// The public API of lesson blueprints.

export { lessonBlueprintsCapability } from './capability.ts';
export * from './engine/index.ts';
export { lessonItemView } from './present.ts';
export {
  activeBlueprintHeads,
  findBlueprint,
  findBlueprints,
  type StoredBlueprint,
} from './rows/blueprints.ts';
export { Blueprint, BlueprintItem, BlueprintSegment, LessonItem } from './schemas.ts';
