// What a teacher reads of a profile: the text in force, with its variables filled, past the language filter. What parents are
// suggested is said one child at a time (for-parents.ts).
import type { CatalogueDocument, Season } from '../../catalogue/index.ts';
import type { Services } from '../../kernel/services.ts';
import { checkText, filterOf, safeFirstName } from '../../language/index.ts';
import type { Trx } from '../../platform/db.ts';
import type { RuleBundle } from '../../rulesets/index.ts';
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
  const wordOf = (name: VariableName) => (name === 'firstNameAr' ? firstName(rules, words) : domainName(rules, words));
  return (template) => {
    const text = template === null ? null : filled(template, wordOf);
    return text !== null && checkText(rules, text, tier).safe ? text : null;
  };
}

const firstName = (rules: RuleBundle, { fullNameAr }: StudentWords): string =>
  safeFirstName(fullNameAr, 'staff', (name) => filterOf(rules).check(name, tier)?.safe === true);

const domainName = (rules: RuleBundle, { domainCode }: StudentWords): string | null =>
  rules
    .values<Pick<CatalogueDocument, 'domains'>>('catalogue/subskills')
    .domains.find(({ code }) => code === domainCode)?.ar ?? null;
