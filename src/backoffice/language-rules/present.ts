// Presents a version of a set.
import type { LanguageRules } from './versions.ts';

export const presentRules = ({
  id,
  key,
  version,
  state,
  rules,
  createdAt,
  createdBy,
  deactivatedAt,
}: LanguageRules) => ({
  id,
  key,
  version,
  state,
  rules: rules.map(({ match, tiers, ...rule }) => ({ ...rule, tiers: [...tiers], match: presentMatch(match) })),
  createdAt,
  createdBy,
  deactivatedAt,
});

const presentMatch = (match: LanguageRules['rules'][number]['match']) =>
  'phrases' in match ? { phrases: [...match.phrases] } : match;
