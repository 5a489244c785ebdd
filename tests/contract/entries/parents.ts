// What families read.
import type { Entries, Entry } from '../entry.ts';

const ofChild: Entry = { slots: ['place'], request: ({ at }) => ({ params: { childId: at.place.childId } }) };

export const parentEntries: Entries = {
  listChildren: {},
  /** A handle that is not one's own is nothing. */
  listChildDiagnostics: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  getChildGrowth: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
  getChildRecommendations: { ...ofChild, expect: { 'PARENT elsewhere': 404 } },
};
