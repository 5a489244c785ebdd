// The part of the catalogue that counts depend on, compiled once a bundle: tiles with their sub-skills and grades, and
// the calendar of seasons.
import { type Catalogue, type CatalogueDocument, compileCatalogue } from '#rules/catalogue/index.ts';
import { oncePerBundle } from '#rules/rulesets/index.ts';
import type { NamedTile } from './present.ts';

export interface CountedTile extends NamedTile {
  readonly subSkills: ReadonlySet<string>;
  /** Grades in which the tile has sub-skills. */
  readonly grades: ReadonlySet<number>;
}

export interface CountingCatalogue {
  readonly calendar: Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;
  /** Tiles are in display order. */
  readonly tiles: readonly CountedTile[];
}

/** Throws BundleError when the bundle has no catalogue. */
export const countingCatalogue = oncePerBundle(
  (rules): CountingCatalogue => ({
    calendar: rules.values<CatalogueDocument>('catalogue/subskills'),
    tiles: tilesOf(compileCatalogue(rules)),
  }),
);

const tilesOf = ({ tiles, domains }: Catalogue): CountedTile[] =>
  tiles.map(({ code, ar, domainIndexes }) => {
    const own = domainIndexes.flatMap((index) => domains[index]?.subSkills ?? []);
    return {
      tileCode: code,
      nameAr: ar,
      subSkills: new Set(own.map((subSkill) => subSkill.code)),
      grades: new Set(own.flatMap(({ grades }) => grades)),
    };
  });
