// What came of support in a school or an organization, as it was released: nobody reads it in another way, not even who may
// read the board of each class.
import { quadrantNames } from '#support/rti/index.ts';
import { noBand } from '../enums.ts';
import { releasedHead } from '../present.ts';
import type { NewestRelease } from './released.ts';

/** Of a release whose cells of this space were asked for. */
export function releasedSquares(release: NewestRelease | undefined) {
  const cell = release?.cells.find(({ space }) => space === 'square');
  return {
    ...releasedHead(release),
    students: cell?.students ?? 0,
    counts: Object.fromEntries(quadrantNames.map((name) => [name, cell?.counts[name] ?? null])),
    withoutSquare: cell?.counts[noBand] ?? null,
    suppressed: cell?.suppressed ?? true,
  };
}
