// Served texts: the labels of sub-skills, domains and tiles in reports, templates and letters.
import type { ServedText, TextSource, Tier } from '#rules/language/index.ts';
import type { DocumentName, RuleBundle } from '#rules/rulesets/index.ts';

interface Labelled {
  readonly code: string;
  readonly ar: string;
}

interface Catalogue {
  readonly subSkills: readonly Labelled[];
  readonly domains: readonly Labelled[];
  readonly tiles: readonly Labelled[];
  readonly globalTile: Labelled;
}

const name: DocumentName = 'catalogue/subskills';
const readers: readonly Tier[] = ['ui', 'reports', 'teacher_note', 'parent_stricter', 'student'];

export const catalogueTexts: TextSource = (bundle: RuleBundle): readonly ServedText[] => {
  if (bundle.versions[name] === undefined) return [];
  const { subSkills, domains, tiles, globalTile } = bundle.values<Catalogue>(name);
  return [...subSkills, ...domains, ...tiles, globalTile].map(({ code, ar }) => ({
    id: `${name}/${code}`,
    tiers: readers,
    template: ar,
  }));
};
