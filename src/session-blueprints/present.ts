// Blueprints and their items as they leave, for each audience.
import type { BlueprintItem, SessionItem } from './schemas.ts';

/** For children: never the key, never what the item measures. */
export const sessionItemView = (item: BlueprintItem): SessionItem => ({
  itemRef: item.itemRef,
  promptAr: item.promptAr,
  speechAr: item.speechAr,
  passageAr: item.passageAr,
  options: item.options,
  optionSpeechAr: item.optionSpeechAr,
});
