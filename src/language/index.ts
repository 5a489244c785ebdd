// What the other capabilities may use of the language filter.
import './services.ts';

export { languageCapability } from './capability.ts';
export { checkText, requireSet } from './check.ts';
export { checks, ruleFindings } from './engine/check-set.ts';
export { type ContextFlag, type ContextFlags, type FlagEffect, neverSelectable } from './engine/context-flags.ts';
export { type CheckedText, filterOf, type LanguageFilter } from './engine/filter.ts';
export type { Checked, Violation } from './engine/matcher.ts';
export {
  actions,
  type LanguageRule,
  reasonCodes,
  type SetName,
  setNames,
  setOf,
  type Tier,
  tiers,
  tiersOfSet,
} from './engine/rules.ts';
export { arabicTexts } from './engine/texts/document-texts.ts';
export { firstNameOf, namelessWords, plainName, safeFirstName } from './engine/texts/first-name.ts';
export { type UnsafeText, unsafeTexts } from './engine/texts/proof.ts';
export { proofFindings } from './engine/texts/proof-findings.ts';
export { renderings, type ServedText, type TextSource } from './engine/texts/served-text.ts';
