// Texts of rule documents: the title and the messages that each may have, and the labels of context flags.
import { documentName, isTable, type RuleDocument } from '../rulesets/index.ts';
import type { ContextFlags } from './engine/context-flags.ts';
import type { ServedText, TextSource } from './engine/texts/served-text.ts';

/** The variables that messages of all families may use. */
const messageVariables = { firstNameAr: 'person' } as const;

/** These texts are shown to rule authors only. */
export const documentTexts: TextSource = ({ documents }) => documents.flatMap(textsOf);

function textsOf(document: RuleDocument): ServedText[] {
  const name = documentName(document);
  const title: ServedText = { id: `${name}/title`, tiers: ['admin'], template: document.meta.title.ar };
  const messages = isTable(document) ? Object.entries(document.messages ?? {}) : [];
  const texts = messages.map(
    ([key, { ar }]): ServedText => ({
      id: `${name}/${key}`,
      tiers: ['admin'],
      template: ar,
      variables: messageVariables,
    }),
  );
  return [title, ...texts];
}

/** Staff select these flags and read them on a student's page. */
export const contextFlagTexts: TextSource = (bundle) => {
  const name = 'language/context-flags';
  if (bundle.versions[name] === undefined) return [];
  const { flags } = bundle.values<ContextFlags>(name);
  return flags.map(({ code, ar }) => ({
    id: `${name}/${code}`,
    tiers: ['ui', 'reports', 'teacher_note'],
    template: ar,
  }));
};
