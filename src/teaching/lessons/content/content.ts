// What a session is made of: the segments and items of its blueprint's version, without the items that were taken away and in
// the order that was chosen. Nothing of it is kept twice.
import type { Trx } from '#core/platform/db.ts';
import {
  type BlueprintItem,
  type BlueprintSegment,
  findBlueprint,
  findBlueprints,
} from '../../lesson-blueprints/index.ts';
import type { SessionRow } from '../rows/store.ts';

export interface SessionContent {
  readonly titleAr: string;
  readonly segments: readonly BlueprintSegment[];
  /** With their keys, in the order of the blueprint. */
  readonly items: readonly BlueprintItem[];
}

type Made = Pick<SessionRow, 'blueprintId' | 'removedItemRefs' | 'segmentOrder'>;
type Source = Pick<SessionContent, 'titleAr'> & {
  readonly segments: readonly BlueprintSegment[];
  readonly items: readonly BlueprintItem[];
};

/** Published versions stay: a session whose blueprint is gone cannot be. */
export async function contentOf(trx: Trx, row: Made): Promise<SessionContent> {
  const found = await findBlueprint(trx, row.blueprintId);
  if (!found) throw new RangeError(`blueprint ${row.blueprintId} is gone`);
  return arranged(found.content, row);
}

/** Of many sessions, by their ids, in one statement. */
export async function contentsOf(
  trx: Trx,
  rows: readonly (Made & Pick<SessionRow, 'id'>)[],
): Promise<ReadonlyMap<string, SessionContent>> {
  const found = await findBlueprints(trx, [...new Set(rows.map(({ blueprintId }) => blueprintId))]);
  return new Map(
    rows.flatMap((row) => {
      const blueprint = found.get(row.blueprintId);
      return blueprint ? [[row.id, arranged(blueprint.content, row)] as const] : [];
    }),
  );
}

/** Segments are renumbered from 1. */
export function arranged(
  { titleAr, segments, items }: Source,
  { removedItemRefs, segmentOrder }: Omit<Made, 'blueprintId'>,
): SessionContent {
  const removed = new Set(removedItemRefs);
  const byNumber = new Map(segments.map((segment) => [segment.segmentNo, segment]));
  const ordered = segmentOrder.flatMap((number) => byNumber.get(number) ?? []);
  const left = ordered.map((segment, at) => ({
    ...segment,
    segmentNo: at + 1,
    itemRefs: segment.itemRefs.filter((itemRef) => !removed.has(itemRef)),
  }));
  return { titleAr, segments: left, items: items.filter(({ itemRef }) => !removed.has(itemRef)) };
}
