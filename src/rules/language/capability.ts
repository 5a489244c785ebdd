// What the language filter contributes to the service: its rules, and the texts of all rule documents.
import type { Capability } from '#core/module/capability.ts';
import type { ValueCheck } from '../rulesets/index.ts';
import { contextFlagTexts, documentTexts } from './documents.ts';
import { setFindings } from './engine/check-set.ts';
import { flagFindings } from './engine/context-flags.ts';
import { documentSchemas } from './engine/document-schemas.ts';

const checkValues: ValueCheck = (question) =>
  question.document.meta.key === 'context-flags' ? flagFindings(question) : setFindings(question);

export const languageCapability: Capability = {
  name: 'language',
  documentSchemas,
  // The report is needed for the dictionary of context flags. Language sets have no simulation, so no report is
  // required for them.
  ruleFamilies: [{ family: 'language', checkValues }],
  texts: [documentTexts, contextFlagTexts],
};
