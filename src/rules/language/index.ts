// What the other capabilities may use of the language filter.
import './services.ts';

export { languageCapability } from './capability.ts';
export { checkText } from './check.ts';
export { checks, ruleFindings } from './engine/check-set.ts';
export { type ContextFlags, type FlagEffect, flagEffects } from './engine/context-flags.ts';
export { filterOf } from './engine/filter.ts';
export { foldedWords } from './engine/fold/words.ts';
export {
  actions,
  type LanguageRule,
  reasonCodes,
  type SetName,
  setOf,
  type Tier,
  tiers,
  tiersOfSet,
} from './engine/rules.ts';
export { arabicTexts } from './engine/texts/document-texts.ts';
export { firstNameAr, fullNameAr, type NameReader, namelessWords, plainName } from './engine/texts/first-name.ts';
export { type PaperName, paperNames, staffName } from './engine/texts/paper-names.ts';
export { unsafeTexts } from './engine/texts/proof.ts';
export { proofFindings } from './engine/texts/proof-findings.ts';
export { renderings, type ServedText, type TextSource } from './engine/texts/served-text.ts';
export { readStoredTexts, type StoredRows, type StoredTexts, textSources } from './stored-texts.ts';
