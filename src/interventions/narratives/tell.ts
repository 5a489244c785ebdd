// What a teacher or a parent reads of a profile: the text in force, with its variables filled, past the language filter.
import type { CatalogueDocument, Season } from '../../catalogue/index.ts';
import type { Services } from '../../kernel/services.ts';
import { checkText, filterOf, safeFirstName, type Tier } from '../../language/index.ts';
import type { Trx } from '../../platform/db.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
import type { ProfileCode } from '../engine/vocabulary.ts';
import { type Narrative, type TeacherText, tierOf } from './engine/narrative.ts';
import { filled, type VariableName } from './engine/variables.ts';
import { narrativeInForce } from './queries.ts';
import type { Audience } from './words.ts';

export interface ToldTo {
  readonly teacher: TeacherText;
  readonly parent: { readonly suggestions: readonly TeacherText[] };
}

export interface NarrativeQuestion<To extends Audience> {
  readonly profileCode: ProfileCode;
  readonly audience: To;
  readonly window: Season;
  readonly variables: StudentWords;
  readonly now: Date;
}

export interface StudentWords {
  readonly fullNameAr: string;
  /** Of the anchor. */
  readonly domainCode: string | null;
}

/**
 * Null where nothing is approved, and where what is approved may not be said as rules are now: all of it or nothing.
 * Throws ENGINE_UNAVAILABLE without language rules for the audience.
 */
export async function narrativeFor<To extends Audience>(
  trx: Trx,
  { rules }: Pick<Services, 'rules'>,
  { profileCode, audience, window, variables, now }: NarrativeQuestion<To>,
): Promise<ToldTo[To] | null> {
  if (profileCode === 'DATA_INCOMPLETE') return null;
  const narrative = await narrativeInForce(trx, { profileCode, audience, window });
  if (!narrative) return null;
  const { rules: bundle } = await rules.at(trx, now);
  return told(bundle, narrative, variables) as ToldTo[To] | null;
}

function told(rules: RuleBundle, narrative: Narrative, words: StudentWords): ToldTo[Audience] | null {
  const say = speakerOf(rules, narrative.audience, words);
  const { titleAr, bodyAr, suggestions } = narrative;
  if (suggestions === null) return titleAr === null || bodyAr === null ? null : saidText({ titleAr, bodyAr }, say);
  const said = suggestions.map((one) => saidText(one, say));
  return said.every((one) => one !== null) ? { suggestions: said } : null;
}

type Say = (template: string) => string | null;

function saidText(text: TeacherText, say: Say): TeacherText | null {
  const [titleAr, bodyAr] = [say(text.titleAr), say(text.bodyAr)];
  return titleAr === null || bodyAr === null ? null : { titleAr, bodyAr };
}

function speakerOf(rules: RuleBundle, audience: Audience, words: StudentWords): Say {
  const tier = tierOf(audience);
  const wordOf = (name: VariableName) =>
    name === 'firstNameAr' ? firstName(rules, audience, tier, words) : domainName(rules, words);
  return (template) => {
    const text = filled(template, wordOf);
    return text !== null && checkText(rules, text, tier).safe ? text : null;
  };
}

const firstName = (rules: RuleBundle, audience: Audience, tier: Tier, { fullNameAr }: StudentWords): string =>
  safeFirstName(
    fullNameAr,
    audience === 'teacher' ? 'staff' : 'family',
    (name) => filterOf(rules).check(name, tier)?.safe === true,
  );

const domainName = (rules: RuleBundle, { domainCode }: StudentWords): string | null =>
  rules
    .values<Pick<CatalogueDocument, 'domains'>>('catalogue/subskills')
    .domains.find(({ code }) => code === domainCode)?.ar ?? null;
