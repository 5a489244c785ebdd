// What other capabilities may use of session blueprints.

export { sessionBlueprintsCapability } from './capability.ts';
export * from './engine/index.ts';
export { sessionItemView } from './present.ts';
export {
  activeBlueprintHeads,
  findBlueprint,
  findBlueprints,
  type StoredBlueprint,
} from './rows/blueprints.ts';
export { Blueprint, BlueprintItem, BlueprintSegment, SessionItem } from './schemas.ts';
