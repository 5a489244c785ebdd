// The text about a profile for teachers: the narrative in force, with its variables filled and filtered. Those for parents are
// in for-parents.ts.

import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import type { CatalogueDocument, Season } from '#rules/catalogue/index.ts';
import { checkText, firstNameAr, namelessWords } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import type { ProfileCode } from '../engine/vocabulary.ts';
import { type TeacherText, tierOf } from './engine/narrative.ts';
import { fillNarrative, type NarrativeVariable } from './engine/variables.ts';
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
  /** The domain of the anchor. */
  readonly domainCode: string | null;
}

/**
 * Returns null when nothing is approved, or when any part of it fails the present filter. Throws ENGINE_UNAVAILABLE without
 * language rules for teachers.
 */
export async function teacherTextOf(
  trx: Trx,
  { rules }: Pick<Services, 'rules'>,
  { profileCode, window, variables, now }: NarrativeQuestion,
): Promise<TeacherText | null> {
  if (profileCode === 'DATA_INCOMPLETE') return null;
  const narrative = await narrativeInForce(trx, { profileCode, audience, window });
  if (!narrative) return null;
  const { rules: bundle } = await rules.at(trx, now);
  const render = rendererOf(bundle, variables);
  const [titleAr, bodyAr] = [render(narrative.titleAr), render(narrative.bodyAr)];
  return titleAr === null || bodyAr === null ? null : { titleAr, bodyAr };
}

type Render = (template: string | null) => string | null;

function rendererOf(rules: RuleBundle, words: StudentWords): Render {
  const wordsWith = (firstName: string) => (name: NarrativeVariable) =>
    name === 'firstNameAr' ? firstName : domainName(rules, words);
  const firstName = firstNameAr(words.fullNameAr, 'staff');
  return (template) => {
    if (template === null) return null;
    const nameless = fillNarrative(template, wordsWith(namelessWords.staff));
    return nameless !== null && checkText(rules, nameless, tier).safe
      ? fillNarrative(template, wordsWith(firstName))
      : null;
  };
}

const domainName = (rules: RuleBundle, { domainCode }: StudentWords): string | null =>
  rules
    .values<Pick<CatalogueDocument, 'domains'>>('catalogue/subskills')
    .domains.find(({ code }) => code === domainCode)?.ar ?? null;
