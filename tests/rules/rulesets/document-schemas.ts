// The validators of all capabilities, for tests that read rule documents as the service does.
import { capabilities } from '#app/capabilities.ts';
import { documentValidators } from '#rules/rulesets/document-schemas.ts';

export const validators = documentValidators(capabilities);

/** The declared schemas by `family/key`. */
export const sections = Object.fromEntries(
  capabilities.flatMap(({ documentSchemas }) => Object.entries(documentSchemas?.sections ?? {})),
);
