// The content of a lesson: the segments and items of its blueprint version, without removed items and in the chosen order. It
// is derived from the blueprint and not stored.
import type { Trx } from '#core/platform/db.ts';
import {
  type BlueprintItem,
  type BlueprintSegment,
  findBlueprint,
  findBlueprints,
} from '../../lesson-blueprints/index.ts';
import type { LessonRow } from '../rows/store.ts';

export interface LessonContent {
  readonly titleAr: string;
  readonly segments: readonly BlueprintSegment[];
  /** Items with keys, in the order of the blueprint. */
  readonly items: readonly BlueprintItem[];
}

type Arrangement = Pick<LessonRow, 'blueprintId' | 'removedItemRefs' | 'segmentOrder'>;
type Source = Pick<LessonContent, 'titleAr'> & {
  readonly segments: readonly BlueprintSegment[];
  readonly items: readonly BlueprintItem[];
};

/** Throws RangeError when the blueprint does not exist, which cannot happen: published versions are never deleted. */
export async function lessonContentOf(trx: Trx, row: Arrangement): Promise<LessonContent> {
  const found = await findBlueprint(trx, row.blueprintId);
  if (!found) throw new RangeError(`blueprint ${row.blueprintId} does not exist`);
  return arrangeContent(found.content, row);
}

/** Returns the content of many lessons by id, in one statement. */
export async function contentsOf(
  trx: Trx,
  rows: readonly (Arrangement & Pick<LessonRow, 'id'>)[],
): Promise<ReadonlyMap<string, LessonContent>> {
  const found = await findBlueprints(trx, [...new Set(rows.map(({ blueprintId }) => blueprintId))]);
  return new Map(
    rows.flatMap((row) => {
      const blueprint = found.get(row.blueprintId);
      return blueprint ? [[row.id, arrangeContent(blueprint.content, row)] as const] : [];
    }),
  );
}

/** Applies removals and the chosen order; segments are renumbered from 1. */
export function arrangeContent(
  { titleAr, segments, items }: Source,
  { removedItemRefs, segmentOrder }: Omit<Arrangement, 'blueprintId'>,
): LessonContent {
  const removed = new Set(removedItemRefs);
  const byNumber = new Map(segments.map((segment) => [segment.segmentNo, segment]));
  const ordered = segmentOrder.flatMap((number) => byNumber.get(number) ?? []);
  const renumbered = ordered.map((segment, at) => ({
    ...segment,
    segmentNo: at + 1,
    itemRefs: segment.itemRefs.filter((itemRef) => !removed.has(itemRef)),
  }));
  return { titleAr, segments: renumbered, items: items.filter(({ itemRef }) => !removed.has(itemRef)) };
}
