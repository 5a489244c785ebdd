// What the catalogue contributes to the service: the terms of the rules.
import type { Capability } from '#core/module/capability.ts';
import type { TextSource } from '../language/index.ts';
import { type DocumentSchemas, schemaBuilders } from '../rulesets/index.ts';
import { termFindings } from './engine/terms/check-terms.ts';
import { termSections, termSubjects, termsDocument, termsOf, unnamedWords } from './engine/terms/terms.ts';

const { dictionary, localText, strict, text } = schemaBuilders;

const term = strict({ ar: text, en: text, about: { enum: [...termSubjects] } }, { help: localText });
const anyName = dictionary('^[A-Za-z][^\\p{C}]{0,119}$', term);

const documentSchemas: DocumentSchemas = {
  sections: {
    [termsDocument]: { terms: strict(Object.fromEntries(termSections.map((section) => [section, anyName]))) },
  },
};

/** Teachers and specialists read them in explanations. */
const readers = ['ui', 'reports', 'teacher_note'] as const;

const termTexts: TextSource = (bundle) => [
  { id: `${termsDocument}/unnamed`, tiers: readers, template: unnamedWords.ar },
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
