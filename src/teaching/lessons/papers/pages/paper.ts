// What is printed of a session, read once: the same paper gives the same pages.
import type { BlueprintItem, BlueprintSegment } from '../../../lesson-blueprints/index.ts';

export interface SessionPaper {
  readonly titleAr: string;
  readonly organizationName: string;
  readonly schoolName: string;
  readonly classNameAr: string;
  /** Where the service is reached. */
  readonly address: string;
  readonly grade: number;
  /** Local date; null: not fixed yet. */
  readonly scheduledOn: string | null;
  readonly stepNo: number;
  /** Names of the sub-skills that the session is about. */
  readonly goalsAr: readonly string[];
  /** Full names of those who are included, as all papers of the class have them. */
  readonly recipients: readonly string[];
  readonly segments: readonly BlueprintSegment[];
  readonly items: readonly BlueprintItem[];
  /** When the session was made. */
  readonly madeAt: string;
}

export interface NumberedItem extends BlueprintItem {
  readonly no: number;
}

/** Numbered as the session comes to them: the same number on every paper. */
export function itemsInOrder({ segments, items }: Pick<SessionPaper, 'segments' | 'items'>): NumberedItem[] {
  const places = new Map(segments.flatMap(({ itemRefs }) => itemRefs).map((itemRef, at) => [itemRef, at]));
  const placeOf = ({ itemRef }: BlueprintItem) => places.get(itemRef) ?? places.size;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other)).map((item, at) => ({ ...item, no: at + 1 }));
}
