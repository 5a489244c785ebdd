// What capabilities say of the texts that they serve. Whoever judges a draft asks it of their list.
import type { TextSource } from './engine/texts/served-text.ts';
import type { StoredTexts } from './stored-texts.ts';

declare module '#core/module/capability.ts' {
  interface Capability {
    /** Everything that it puts before a person's eyes, but for items and passages, which are reviewed one by one. */
    readonly texts?: readonly TextSource[];
    /** The same, of what is kept in the database. */
    readonly storedTexts?: readonly StoredTexts[];
  }
}
