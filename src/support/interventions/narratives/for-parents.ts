// Approved suggestions for parents, in one statement for any number of children. All variables are filled except the child's
// name, which the caller fills before the filter.

import type { Trx } from '#core/platform/db.ts';
import type { CatalogueDocument, Season } from '#rules/catalogue/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ProfileCode } from '../engine/vocabulary.ts';
import type { Suggestion } from './engine/narrative.ts';
import { fillNarrative } from './engine/variables.ts';
import { narrativesFor } from './queries.ts';

export interface ParentSuggestion {
  /** An id that stays when the text changes: `FLUENCY_NEED/ANY/HS-01`. */
  readonly textId: string;
  /** Both may contain `{{firstNameAr}}`. */
  readonly titleAr: string;
  readonly bodyAr: string;
}

/** By profile and domain of the anchor; null when nothing is approved, or when the text needs a domain and there is none. */
export type SuggestionsOf = (profileCode: ProfileCode, domainCode: string | null) => readonly ParentSuggestion[] | null;

/** Returns the texts of the season, or those for any season. */
export async function parentSuggestions(trx: Trx, rules: RuleBundle, window: Season): Promise<SuggestionsOf> {
  const narratives = await narrativesFor(trx, { audience: 'parent', window });
  const { domains } = rules.values<Pick<CatalogueDocument, 'domains'>>('catalogue/subskills');
  return (profileCode, domainCode) => {
    const own = narratives.filter((one) => one.profileCode === profileCode);
    const narrative = own.find((one) => one.window === window) ?? own[0];
    if (!narrative?.suggestions) return null;
    const domainName = domains.find(({ code }) => code === domainCode)?.ar ?? null;
    const slot = `${profileCode}/${narrative.window}`;
    const suggestions = narrative.suggestions.map((one) => suggestionOf(one, slot, domainName));
    return suggestions.every((one) => one !== null) ? suggestions : null;
  };
}

function suggestionOf(
  { suggestionCode, titleAr, bodyAr }: Suggestion,
  slot: string,
  domainName: string | null,
): ParentSuggestion | null {
  const fill = (template: string) =>
    fillNarrative(template, (name) => (name === 'firstNameAr' ? `{{${name}}}` : domainName));
  const [title, body] = [fill(titleAr), fill(bodyAr)];
  return title === null || body === null ? null : { textId: `${slot}/${suggestionCode}`, titleAr: title, bodyAr: body };
}
