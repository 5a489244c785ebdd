// Reads the teaser's items; each version is read once and never changes.
import fs from 'node:fs/promises';
import path from 'node:path';
import { shapeOf } from '#core/platform/pure/json-schema.ts';
import { type TeaserItem, TeaserItemsFile } from './engine/items.ts';

const rulesDir = path.resolve(import.meta.dirname, '../../../../rules');
const itemsFile = shapeOf<TeaserItemsFile>(TeaserItemsFile);

export type ItemsById = ReadonlyMap<string, TeaserItem>;

/** Reads a version. Throws when it is missing or another version; throws RangeError when two items share an id. */
export async function loadTeaserItems(version: number, dir: string = rulesDir): Promise<ItemsById> {
  const file = path.join(dir, `content/teaser/items.v${version}.json`);
  const document = itemsFile(JSON.parse(await fs.readFile(file, 'utf8')), file);
  if (document.version !== version) throw new RangeError(`${file} says that it is version ${document.version}`);
  const byId = new Map(document.items.map((item) => [item.id, item]));
  if (byId.size !== document.items.length) throw new RangeError(`${file} uses an item id twice`);
  return byId;
}

/** Returns a cached reader; a failed read is retried on the next call. */
export function teaserContent(dir: string = rulesDir): (version: number) => Promise<ItemsById> {
  const loaded = new Map<number, Promise<ItemsById>>();
  return (version) => {
    const items =
      loaded.get(version) ??
      loadTeaserItems(version, dir).catch((error: unknown) => {
        loaded.delete(version);
        throw error;
      });
    loaded.set(version, items);
    return items;
  };
}
