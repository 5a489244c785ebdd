// What the composition root needs of the administration of language rules.
export { languageRulesCapability } from './capability.ts';
