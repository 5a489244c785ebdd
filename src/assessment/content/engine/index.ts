// What engines, of this service and of other capabilities, may use of content: pure functions and their types.
export type { ItemBank } from '../items/engine/bank.ts';
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
} from '../items/engine/item.ts';
export { firstLineWords, lastWordOf, type Passage, type PassageBook } from '../passages/engine/passage.ts';
export { type ItemSetNames, itemsOfSet, presentItem, type TeaserItem } from '../teaser/engine/items.ts';
