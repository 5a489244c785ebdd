// What other capabilities may use of content: item banks, passages, teaser items, recordings.
export { contentCapability } from './capability.ts';
export { type AudioPack, readAudioPack } from './items/audio/pack.ts';
export { type ItemBanks, itemBanks, rulesDir } from './items/banks.ts';
export type { ItemBank } from './items/engine/bank.ts';
export {
  type BandGrades,
  bandOfGrade,
  type GradeBand,
  gradeBands,
  type Item,
  type ItemOption,
  type ItemType,
  itemTypes,
  presentServedItem,
  type ServedItem,
} from './items/engine/item.ts';
export { firstLineWords, lastWordOf, type Passage, type PassageBook } from './passages/engine/passage.ts';
export { namedPassage, type Passages, passageBooks } from './passages/files.ts';
export { type ItemSetNames, itemsOfSet, presentItem, type TeaserItem } from './teaser/engine/items.ts';
export { teaserContent } from './teaser/files.ts';
