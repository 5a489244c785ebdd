// Responses of narratives.
import type { Suggestion } from './engine/narrative.ts';
import type { NarrativeRow } from './store.ts';

export const presentPending = (row: NarrativeRow) => ({
  id: row.id,
  profileCode: row.profileCode,
  audience: row.audience,
  window: row.window,
  version: row.version,
  titleAr: row.titleAr,
  bodyAr: row.bodyAr,
  suggestions: row.suggestions?.map(presentSuggestion) ?? null,
  authorUserId: row.authorUserId,
  createdAt: row.createdAt,
});

const presentSuggestion = ({ suggestionCode, titleAr, bodyAr }: Suggestion) => ({ suggestionCode, titleAr, bodyAr });

export const presentNarrative = (row: NarrativeRow) => ({
  ...presentPending(row),
  state: row.state,
  reviewerUserId: row.reviewerUserId,
  decidedAt: row.decidedAt,
  rejectReasonCode: row.rejectReasonCode,
});
