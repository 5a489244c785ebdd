// Blueprints and their items as responses, per audience.
import type { StoredBlueprint } from './rows/blueprints.ts';
import type { Blueprint, BlueprintItem, BlueprintSegment, LessonItem } from './schemas.ts';

/** For children: without the key and without what the item measures. */
export const lessonItemView = (item: BlueprintItem): LessonItem => ({
  itemRef: item.itemRef,
  promptAr: item.promptAr,
  speechAr: item.speechAr,
  passageAr: item.passageAr,
  options: item.options,
  optionSpeechAr: item.optionSpeechAr,
});

type Entry = Pick<StoredBlueprint, 'blueprintId' | 'version' | 'state'> & Omit<Blueprint, 'items'>;

export const presentBlueprintEntry = (entry: Entry) => ({
  blueprintId: entry.blueprintId,
  version: entry.version,
  state: entry.state,
  blueprintCode: entry.blueprintCode,
  bundle_id: entry.bundle_id,
  stepNo: entry.stepNo,
  sessionRole: entry.sessionRole,
  grade: entry.grade,
  scaffoldTier: entry.scaffoldTier,
  deliveryModes: entry.deliveryModes,
  anchorSkillGroup: entry.anchorSkillGroup,
  targetSubSkillCodes: entry.targetSubSkillCodes,
  durationMinutes: entry.durationMinutes,
  titleAr: entry.titleAr,
  form: entry.form ?? 'A',
  segments: entry.segments.map(presentSegment),
});

/** For teachers: with keys. */
export const presentBlueprint = ({ blueprintId, version, state, content }: StoredBlueprint) => ({
  ...presentBlueprintEntry({ blueprintId, version, state, ...content }),
  items: content.items.map(presentItem),
});

const presentSegment = ({ segmentNo, kind, minutes, scriptAr, itemRefs }: BlueprintSegment) => ({
  segmentNo,
  kind,
  minutes,
  scriptAr,
  itemRefs: [...itemRefs],
});

const presentItem = (item: BlueprintItem) => ({
  ...lessonItemView(item),
  subSkillCode: item.subSkillCode,
  taskType: item.taskType,
  correctOptionIndex: item.correctOptionIndex,
});
