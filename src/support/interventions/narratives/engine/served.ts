// Narratives as served texts, for the proof that precedes the approval of a narrative, a label or a language set.
import type { CatalogueDocument } from '#rules/catalogue/engine/index.ts';
import type { ServedText, TextSource } from '#rules/language/engine/index.ts';
import type { DocumentName, RuleBundle } from '#rules/rulesets/engine/index.ts';
import { type Narrative, type NarrativeText, narrativeTextsOf, tierOf } from './narrative.ts';
import { variablesOf } from './variables.ts';

export const servedNarratives =
  (narratives: readonly Narrative[]): TextSource =>
  (bundle) =>
    narratives.flatMap((narrative) => narrativeTextsOf(narrative).map((text) => servedText(narrative, text, bundle)));

/** Any domain can be that of an anchor. */
export function servedText(
  narrative: Narrative,
  { textPath, template }: NarrativeText,
  bundle: RuleBundle,
): ServedText {
  const { profileCode, audience, window } = narrative;
  const values = { firstNameAr: 'person', domainNameAr: domainNames(bundle) } as const;
  return {
    id: `profile-narratives/${profileCode}/${audience}/${window}/${textPath}`,
    tiers: [tierOf(audience)],
    template,
    variables: Object.fromEntries(variablesOf(profileCode).map((name) => [name, values[name]])),
  };
}

const catalogue: DocumentName = 'catalogue/subskills';

/** Without any domain name the text is checked without one; rendering nothing would pass every text. */
function domainNames(bundle: RuleBundle): readonly string[] {
  if (bundle.versions[catalogue] === undefined) return [''];
  return bundle.values<Pick<CatalogueDocument, 'domains'>>(catalogue).domains.map(({ ar }) => ar);
}
