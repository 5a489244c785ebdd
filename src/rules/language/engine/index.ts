// What engines, of this service and of other capabilities, may use of the language filter: pure functions and their types.

export type { StoredRows } from '../stored-texts.ts';
export { checks, ruleFindings } from './check-set.ts';
export { type ContextFlags, type FlagEffect, flagEffects } from './context-flags.ts';
export { filterOf } from './filter.ts';
export { foldName } from './fold/names.ts';
export { foldedWords } from './fold/words.ts';
export {
  actions,
  type LanguageRule,
  languageReasonCodes,
  type SetName,
  setOfTier,
  type Tier,
  tiers,
  tiersOfSet,
} from './rules.ts';
export { arabicTexts } from './texts/document-texts.ts';
export { firstNameAr, fullNameAr, type NameReader, namelessWords, plainName } from './texts/first-name.ts';
export { type PaperName, paperNames, staffName } from './texts/paper-names.ts';
export { unsafeTexts } from './texts/proof.ts';
export { proofFindings } from './texts/proof-findings.ts';
export { renderings, type ServedText, type TextSource } from './texts/served-text.ts';
