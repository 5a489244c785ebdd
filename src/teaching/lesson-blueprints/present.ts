// Blueprints and their items as they leave, for each audience.
import type { StoredBlueprint } from './rows/blueprints.ts';
import type { Blueprint, BlueprintItem, BlueprintSegment, SessionItem } from './schemas.ts';

/** For children: never the key, never what the item measures. */
export const sessionItemView = (item: BlueprintItem): SessionItem => ({
  itemRef: item.itemRef,
  promptAr: item.promptAr,
  speechAr: item.speechAr,
  passageAr: item.passageAr,
  options: item.options,
  optionSpeechAr: item.optionSpeechAr,
});

type Entry = Pick<StoredBlueprint, 'blueprintId' | 'version' | 'state'> & Omit<Blueprint, 'items'>;

export const presentEntry = (entry: Entry) => ({
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
  segments: entry.segments.map(presentSegment),
});

/** For those who teach: with keys. */
export const presentBlueprint = ({ blueprintId, version, state, content }: StoredBlueprint) => ({
  ...presentEntry({ blueprintId, version, state, ...content }),
  items: content.items.map(presentItem),
});

const presentSegment = ({ segmentNo, kind, minutes, scriptAr, itemRefs }: BlueprintSegment) => ({
  ...{ segmentNo, kind, minutes, scriptAr },
  itemRefs: [...itemRefs],
});

const presentItem = (item: BlueprintItem) => ({
  ...sessionItemView(item),
  subSkillCode: item.subSkillCode,
  taskType: item.taskType,
  correctOptionIndex: item.correctOptionIndex,
});
