// Texts that every rule document has: its title, and the messages of its outcomes.
import { documentName, isTable, type RuleDocument } from '../rulesets/index.ts';
import type { ServedText, TextSource } from './engine/texts/served-text.ts';

/** Read by those who keep the rules; nobody else is shown them. */
export const documentTexts: TextSource = ({ documents }) => documents.flatMap(textsOf);

function textsOf(document: RuleDocument): ServedText[] {
  const name = documentName(document);
  const title: ServedText = { id: `${name}/title`, tiers: ['admin'], template: document.meta.title.ar };
  const messages = isTable(document) ? Object.entries(document.messages ?? {}) : [];
  const texts = messages.map(([key, { ar }]): ServedText => ({ id: `${name}/${key}`, tiers: ['admin'], template: ar }));
  return [title, ...texts];
}
