// What the language filter brings to the service: its rules, and the texts of all rule documents.
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
  // For the dictionary of situations: of the sets there is no simulation, and no report is asked for.
  ruleFamilies: [{ family: 'language', needsImpact: true, checkValues }],
  texts: [documentTexts, contextFlagTexts],
};
