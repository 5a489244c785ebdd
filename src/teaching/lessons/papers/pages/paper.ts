// The input of lesson papers. Rendering depends on it alone.
import type { BlueprintItem, BlueprintSegment } from '../../../lesson-blueprints/index.ts';

export interface LessonPaper {
  readonly titleAr: string;
  readonly organizationName: string;
  readonly schoolName: string;
  readonly classNameAr: string;
  /** The public address of the service. */
  readonly address: string;
  readonly grade: number;
  /** Local date; null when not scheduled. */
  readonly scheduledOn: string | null;
  readonly stepNo: number;
  /** Names of the target sub-skills. */
  readonly goalsAr: readonly string[];
  /** Printed full names of the included students. */
  readonly recipients: readonly string[];
  readonly segments: readonly BlueprintSegment[];
  readonly items: readonly BlueprintItem[];
  /** When the lesson was created. */
  readonly madeAt: string;
}

export interface NumberedItem extends BlueprintItem {
  readonly no: number;
}

/** Numbers the items in the order of the segments, so that an item has the same number on every paper. */
export function itemsInOrder({ segments, items }: Pick<LessonPaper, 'segments' | 'items'>): NumberedItem[] {
  const positions = new Map(segments.flatMap(({ itemRefs }) => itemRefs).map((itemRef, at) => [itemRef, at]));
  const positionOf = ({ itemRef }: BlueprintItem) => positions.get(itemRef) ?? positions.size;
  return items
    .toSorted((one, other) => positionOf(one) - positionOf(other))
    .map((item, at) => ({ ...item, no: at + 1 }));
}
