// What the other capabilities may use of the language filter.
import './services.ts';

export { languageCapability } from './capability.ts';
export { checkText } from './check.ts';
export * from './engine/index.ts';
export { readStoredTexts, type StoredTexts, textSources } from './stored-texts.ts';
