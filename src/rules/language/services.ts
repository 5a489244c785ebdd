// The texts that capabilities declare. The validation of drafts reads them from the list of capabilities.
import type { TextSource } from './engine/texts/served-text.ts';
import type { StoredTexts } from './stored-texts.ts';

declare module '#core/module/capability.ts' {
  interface Capability {
    /** All texts that it shows to people, except items and passages, which are reviewed one by one. */
    readonly texts?: readonly TextSource[];
    /** Texts that it stores in the database. */
    readonly storedTexts?: readonly StoredTexts[];
  }
}
