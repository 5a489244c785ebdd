// What all capabilities say of the documents of rules, for tests that read a text as the service does.
import { capabilities } from '#app/capabilities.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';

export const shapes = documentValidators(capabilities);

/** As capabilities write them, by `family/key`. */
export const sections = Object.fromEntries(
  capabilities.flatMap(({ documentSchemas }) => Object.entries(documentSchemas?.sections ?? {})),
);
