// What is approved for parents, in one statement for any number of children: the sentences as they stand, with everything
// filled but the child's name, which whoever says them fills and puts to the filter.

import type { Trx } from '#core/platform/db.ts';
import type { CatalogueDocument, Season } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ProfileCode } from '../engine/vocabulary.ts';
import type { Suggestion } from './engine/narrative.ts';
import { filled } from './engine/variables.ts';
import { narrativesFor } from './queries.ts';

export interface ParentSuggestion {
  /** Stays the same while the text changes: `FLUENCY_NEED/ANY/HS-01`. */
  readonly textId: string;
  /** `{{firstNameAr}}` may stand in both. */
  readonly titleAr: string;
  readonly bodyAr: string;
}

/** Of a profile and the domain of its anchor; null where nothing is approved, or where it asks for a domain that is not there. */
export type SuggestionsOf = (profileCode: ProfileCode, domainCode: string | null) => readonly ParentSuggestion[] | null;

/** Texts of the season, where there are none those for any. */
export async function parentSuggestions(trx: Trx, rules: RuleBundle, window: Season): Promise<SuggestionsOf> {
  const narratives = await narrativesFor(trx, { audience: 'parent', window });
  const { domains } = rules.values<Pick<CatalogueDocument, 'domains'>>('catalogue/subskills');
  return (profileCode, domainCode) => {
    const own = narratives.filter((one) => one.profileCode === profileCode);
    const narrative = own.find((one) => one.window === window) ?? own[0];
    if (!narrative?.suggestions) return null;
    const domainName = domains.find(({ code }) => code === domainCode)?.ar ?? null;
    const place = `${profileCode}/${narrative.window}`;
    const said = narrative.suggestions.map((one) => suggestionOf(one, place, domainName));
    return said.every((one) => one !== null) ? said : null;
  };
}

function suggestionOf(
  { suggestionCode, titleAr, bodyAr }: Suggestion,
  place: string,
  domainName: string | null,
): ParentSuggestion | null {
  const fill = (template: string) => filled(template, (name) => (name === 'firstNameAr' ? `{{${name}}}` : domainName));
  const [title, body] = [fill(titleAr), fill(bodyAr)];
  return title === null || body === null
    ? null
    : { textId: `${place}/${suggestionCode}`, titleAr: title, bodyAr: body };
}
