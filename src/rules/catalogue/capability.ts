// What the catalogue contributes to the service: the terms of the rules.
import type { Capability } from '#core/module/capability.ts';
import type { TextSource } from '../language/index.ts';
import { type DocumentSchemas, schemaBuilders } from '../rulesets/index.ts';
import { termFindings } from './engine/terms/check-terms.ts';
import { termSections, termSubjects, termsDocument, termsOf, unnamedWords } from './engine/terms/terms.ts';
import { decisionTexts, withheldSentence } from './sentences.ts';

const { dictionary, localText, strict, text } = schemaBuilders;

const term = strict({ ar: text, en: text, about: { enum: [...termSubjects] } }, { help: localText });
const anyName = dictionary('^[A-Za-z][^\\p{C}]{0,119}$', term);

const documentSchemas: DocumentSchemas = {
  sections: {
    [termsDocument]: { terms: strict(Object.fromEntries(termSections.map((section) => [section, anyName]))) },
  },
};

/** The strictest tier of those who read them; whole sentences are checked for all. */
const readers = ['teacher_note'] as const;

const termTexts: TextSource = (bundle) => [
  { id: `${termsDocument}/unnamed`, tiers: readers, template: unnamedWords.ar },
  { id: 'sentence/withheld', tiers: readers, template: withheldSentence.ar },
  ...Object.entries(decisionTexts).map(([key, { ar }]) => ({
    ...{ id: `sentence/${key}`, tiers: readers, template: ar },
    variables: { layer: ['كلمة'], outcome: ['كلمة'] },
  })),
  ...termSections.flatMap((section) =>
    Object.entries(termsOf(bundle).terms?.[section] ?? {}).flatMap(([name, { ar, help }]) => {
      const id = `${termsDocument}/${section}/${name}`;
      const explained = help ? [{ id: `${id}/help`, tiers: readers, template: help.ar }] : [];
      return [{ id, tiers: readers, template: ar }, ...explained];
    }),
  ),
];

export const catalogueCapability: Capability = {
  name: 'catalogue',
  documentSchemas,
  documentChecks: [termFindings],
  texts: [termTexts],
};
