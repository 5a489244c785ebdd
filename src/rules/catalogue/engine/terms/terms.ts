// The document `catalogue/terms`: what each name in rules is called in Arabic and English, so that sentences about a
// child contain no code.
import { type DocumentName, type LocalText, oncePerBundle, type RuleBundle } from '../../../rulesets/engine/index.ts';

export const termSections = ['facts', 'values', 'units', 'constants', 'layers', 'families'] as const;
export type TermSection = (typeof termSections)[number];

/** `child`: what the child did or needs. `item`: content. `rules`: decisions of people, rules and operations. */
export const termSubjects = ['child', 'item', 'rules'] as const;

export interface Term extends LocalText {
  readonly help?: LocalText;
  readonly about: (typeof termSubjects)[number];
}

export type TermsBySection = Readonly<Record<TermSection, Readonly<Record<string, Term>>>>;

export const termsDocument: DocumentName = 'catalogue/terms';

/** Returns the terms of a bundle; null for one without the document. */
export const termsOf = oncePerBundle((bundle: RuleBundle): { readonly terms: TermsBySection | null } => {
  if (bundle.versions[termsDocument] === undefined) return { terms: null };
  return { terms: bundle.values<{ readonly terms: TermsBySection }>(termsDocument).terms };
});

/** Returns undefined for a name without a term. */
export function termOf(bundle: RuleBundle, section: TermSection, name: string): Term | undefined {
  const terms = termsOf(bundle).terms?.[section];
  return terms && Object.hasOwn(terms, name) ? terms[name] : undefined;
}

/** The words for a value that has no term yet: a sentence shows no code. */
export const unnamedWords: LocalText = { ar: 'قيمة بلا اسم بعد', en: 'a value without a name yet' };

export const termWords = (bundle: RuleBundle, section: TermSection, name: string): LocalText => {
  const { ar, en } = termOf(bundle, section, name) ?? unnamedWords;
  return { ar, en };
};
