// The rules in force for families, compiled once a bundle.
import { type CatalogueDocument, compileCatalogue } from '#rules/catalogue/index.ts';
import { perBundle, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileGrowth, type FamilyGrowth } from './engine/growth.ts';

export interface Tile {
  readonly code: string;
  readonly nameAr: string;
  /** Grades in which a sub-skill of the tile is taught. */
  readonly grades: ReadonlySet<number>;
}

export interface FamilyRules {
  readonly bundle: RuleBundle;
  readonly growth: FamilyGrowth;
  /** In catalogue order, without the overall tile. */
  readonly tiles: readonly Tile[];
  readonly calendar: Pick<CatalogueDocument, 'schoolYear' | 'seasons'>;
  /** Text when nothing can be suggested (50 §1.4). */
  readonly haltAr: string;
}

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export const familyRules = perBundle(compileFamily, 'A rule document of what families read is missing.');

/** Throws BundleError or RangeError that names what cannot be read. */
export function compileFamily(bundle: RuleBundle): FamilyRules {
  const { tiles, domains } = compileCatalogue(bundle);
  const gradesOf = (indexes: readonly number[]) =>
    new Set(indexes.flatMap((index) => domains[index]?.subSkills.flatMap(({ grades }) => grades) ?? []));
  return {
    bundle,
    growth: compileGrowth(
      bundle,
      tiles.map(({ code }) => code),
    ),
    tiles: tiles.map(({ code, ar, domainIndexes }) => ({ code, nameAr: ar, grades: gradesOf(domainIndexes) })),
    calendar: bundle.values<CatalogueDocument>('catalogue/subskills'),
    haltAr: bundle.values<{ readonly haltAr: string }>('profile/narratives').haltAr,
  };
}
