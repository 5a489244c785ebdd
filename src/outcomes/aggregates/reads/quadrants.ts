// Quadrants of support in a school or an organization, as they were released. All callers get released counts, even
// those who may read the board of each class.
import { quadrantNames } from '#support/rti/index.ts';
import { noBand } from '../enums.ts';
import { releasedHead } from '../present.ts';
import type { NewestRelease } from './released.ts';

/** The cells of this statistic must be in `release`. */
export function releasedQuadrants(release: NewestRelease | undefined) {
  const cell = release?.cells.find(({ space }) => space === 'square');
  return {
    ...releasedHead(release),
    students: cell?.students ?? 0,
    counts: Object.fromEntries(quadrantNames.map((name) => [name, cell?.counts[name] ?? null])),
    withoutSquare: cell?.counts[noBand] ?? null,
    suppressed: cell?.suppressed ?? true,
  };
}
