// Sentences for people about results: texts in both languages whose values are named by terms. Every sentence passes
// the language filter of all staff who may read it.

import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { checkText } from '../language/index.ts';
import {
  type DecisionView,
  type FactCategories,
  type LocalText,
  type NearestChangeView,
  nearestChange,
  type RuleBundle,
  type SentenceView,
} from '../rulesets/index.ts';
import type { TermSection } from './engine/terms/terms.ts';
import { termOf, termWords } from './engine/terms/terms.ts';

/** A value of a sentence with the words for it. */
export interface SpokenValue extends LocalText {
  readonly value: string | number | null;
}

export interface Sentences {
  /** Whether a fact is about the child, so that a change of it can be named to a school. */
  isAboutChild(fact: string): boolean;
  term(section: TermSection, name: string): SpokenValue;
  /** Returns the parts as one text. Throws RangeError for a variable without a value. */
  say(key: string, parts: readonly LocalText[], args: Readonly<Record<string, SpokenValue | number>>): SentenceView;
}

/** Shown in the place of a sentence that the filter stops. */
export const withheldSentence: LocalText = {
  ar: 'لا تُعرض هذه الجملة، لأن قواعد سلامة اللغة لا تجيزها.',
  en: 'This sentence is not shown, because the rules of language safety do not admit it.',
};

const readers = ['ui', 'reports', 'teacher_note'] as const;

/** `bundle`: the rules in force, which name all values of today's documents and earlier ones. */
export function sentencesOf(bundle: RuleBundle): Sentences {
  const known = new Map<string, boolean>();
  const isSafe = (ar: string): boolean => {
    const safe = known.get(ar) ?? readers.every((tier) => checkText(bundle, ar, tier).safe);
    known.set(ar, safe);
    return safe;
  };
  return {
    isAboutChild: (fact) => termOf(bundle, 'facts', fact)?.about === 'child',
    term: (section, name) => ({ value: name, ...termWords(bundle, section, name) }),
    say(key, parts, args) {
      const [ar, en] = [filled(parts, args, 'ar'), capitalized(filled(parts, args, 'en'))];
      const texts = isSafe(ar) ? { ar, en } : withheldSentence;
      return { key, args: valuesOf(args), ...texts };
    },
  };
}

type Args = Parameters<Sentences['say']>[2];

const variable = /\{\{([a-zA-Z]+)\}\}/g;

const filled = (parts: readonly LocalText[], args: Args, language: 'ar' | 'en'): string =>
  parts
    .map((part) => part[language].replace(variable, (_, name: string) => wordsOf(args[name], name, language)))
    .join(' ');

/** A term begins with a small letter, a sentence does not. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function wordsOf(value: SpokenValue | number | undefined, name: string, language: 'ar' | 'en'): string {
  if (value === undefined) throw new RangeError(`the sentence has no ${name}`);
  return typeof value === 'number' ? String(value) : value[language];
}

const valuesOf = (args: Args): SentenceView['args'] =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'number' ? value : value.value]),
  );

const dayIn = { day: 'numeric', month: 'long', year: 'numeric' } as const;

/** Returns the local day of an instant: «27 سبتمبر 2026», `27 September 2026`. */
export function dayWords(instant: string, timeZone: string): SpokenValue {
  const shown = (locale: string) => new Intl.DateTimeFormat(locale, { ...dayIn, timeZone }).format(new Date(instant));
  return { value: instant, ar: shown('ar-u-nu-latn'), en: shown('en-GB') };
}

/** The sentences about results of which one decision table is the reason. */
export const decisionTexts = {
  outcome: { ar: '{{layer}}: {{outcome}}.', en: '{{layer}}: {{outcome}}.' },
  none: { ar: '{{layer}}: سجل لم يقرره جدول قواعد.', en: '{{layer}}: a record that no table of rules decided.' },
} as const;

/** Returns the sentences with the terms and the language rules of now. Throws ENGINE_UNAVAILABLE without rules. */
export async function sentencesInForce(
  reading: ReadTransaction,
  { rules, clock }: Pick<Services, 'rules' | 'clock'>,
): Promise<Sentences> {
  return sentencesOf((await reading((trx) => rules.at(trx, clock.now()))).rules);
}

/** Says what a table decided; `layer` names the table when it was not asked. */
export function sayDecision({ say, term }: Sentences, layer: string, decision: DecisionView | undefined): SentenceView {
  const outcomes = decision
    ? 'hits' in decision
      ? decision.hits.map(({ outcome }) => outcome)
      : [decision.outcome]
    : [];
  const args = { layer: term('layers', decision?.layer ?? layer) };
  if (outcomes.length === 0) return say('decision.none', [decisionTexts.none], args);
  const words = outcomes.map((outcome) => term('values', outcome));
  const outcome = {
    value: outcomes.join(', '),
    ar: words.map(({ ar }) => ar).join('، '),
    en: words.map(({ en }) => en).join(', '),
  };
  return say('decision.outcome', [decisionTexts.outcome], { ...args, outcome });
}

/** Returns the sentence and the nearest change of a result that one table decided. */
export const reasonOf = (
  sentences: Sentences,
  layer: string,
  [decision]: readonly DecisionView[],
  categories: FactCategories,
): { readonly sentence: SentenceView; readonly nearestChange: NearestChangeView | null } => ({
  sentence: sayDecision(sentences, layer, decision),
  nearestChange: nearestChange(decision, categories, sentences.isAboutChild),
});
