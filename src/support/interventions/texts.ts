// Texts of interventions for the proof: narratives for teachers and parents, names of bundles, labels of codes.
import { arabicTexts, type StoredTexts, type TextSource, type Tier } from '#rules/language/index.ts';
import type { Narrative } from './narratives/engine/narrative.ts';
import { servedNarratives } from './narratives/engine/served.ts';
import { narrativesInForce } from './narratives/queries.ts';

const staff: readonly Tier[] = ['ui', 'reports', 'teacher_note'];
const family: readonly Tier[] = ['parent_stricter'];

/** By the beginning of the path in the document. */
const readers: readonly (readonly [string, readonly Tier[]])[] = [
  ['profile/narratives/narratives/', staff],
  ['profile/narratives/suggestions/', family],
  ['profile/narratives/haltAr', family],
  ['bundle/catalogue/bundles/', staff],
  ['bundle/session-codes/', staff],
  ['rti/reason-codes/codes/', staff],
  ['rti/decision-packet/', staff],
];

export const interventionTexts: TextSource = ({ documents }) => {
  const readersOf = (id: string) => readers.find(([beginning]) => id.startsWith(beginning))?.[1];
  return documents.flatMap((document) => arabicTexts(document, readersOf));
};

export const narrativeTexts: StoredTexts<Narrative> = {
  name: 'profile-narratives',
  read: narrativesInForce,
  served: servedNarratives,
};
