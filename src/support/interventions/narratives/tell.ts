// What a teacher reads of a profile: the text in force, past the language filter and with its variables filled. What parents are
// suggested is said one child at a time (for-parents.ts).

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { CatalogueDocument, Season } from '#rules/catalogue/index.ts';
import { checkText, firstNameAr, namelessWords } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ProfileCode } from '../engine/vocabulary.ts';
import { type TeacherText, tierOf } from './engine/narrative.ts';
import { filled, type VariableName } from './engine/variables.ts';
import { narrativeInForce } from './queries.ts';

const audience = 'teacher';
const tier = tierOf(audience);

export interface NarrativeQuestion {
  readonly profileCode: ProfileCode;
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
 * Throws ENGINE_UNAVAILABLE without language rules for teachers.
 */
export async function toldToTeachers(
  trx: Trx,
  { rules }: Pick<Services, 'rules'>,
  { profileCode, window, variables, now }: NarrativeQuestion,
): Promise<TeacherText | null> {
  if (profileCode === 'DATA_INCOMPLETE') return null;
  const narrative = await narrativeInForce(trx, { profileCode, audience, window });
  if (!narrative) return null;
  const { rules: bundle } = await rules.at(trx, now);
  const say = speakerOf(bundle, variables);
  const [titleAr, bodyAr] = [say(narrative.titleAr), say(narrative.bodyAr)];
  return titleAr === null || bodyAr === null ? null : { titleAr, bodyAr };
}

type Say = (template: string | null) => string | null;

function speakerOf(rules: RuleBundle, words: StudentWords): Say {
  const wordsWith = (firstName: string) => (name: VariableName) =>
    name === 'firstNameAr' ? firstName : domainName(rules, words);
  const firstName = firstNameAr(words.fullNameAr, 'staff');
  return (template) => {
    if (template === null) return null;
    const nameless = filled(template, wordsWith(namelessWords.staff));
    return nameless !== null && checkText(rules, nameless, tier).safe ? filled(template, wordsWith(firstName)) : null;
  };
}

const domainName = (rules: RuleBundle, { domainCode }: StudentWords): string | null =>
  rules
    .values<Pick<CatalogueDocument, 'domains'>>('catalogue/subskills')
    .domains.find(({ code }) => code === domainCode)?.ar ?? null;
