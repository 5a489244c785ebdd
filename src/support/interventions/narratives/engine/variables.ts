// Variables of narratives: names of the student and of the domain.
import { type Narrative, narrativeTextsOf } from './narrative.ts';

const variableNames = ['firstNameAr', 'domainNameAr'] as const;
export type NarrativeVariable = (typeof variableNames)[number];

const variable = /\{\{([A-Za-z]+)\}\}/g;

/** A student who is on track has no anchor, and so no domain to name. */
export const variablesOf = (profileCode: string): readonly NarrativeVariable[] =>
  profileCode === 'ON_TRACK' ? ['firstNameAr'] : variableNames;

/** A detail for each text with an unknown variable or a stray brace. */
export function unknownVariables(narrative: Narrative): { readonly field: string; readonly issue: string }[] {
  const known: readonly string[] = variablesOf(narrative.profileCode);
  const rest = (template: string) =>
    template.replace(variable, (found, name: string) => (known.includes(name) ? '' : found));
  return narrativeTextsOf(narrative)
    .filter(({ template }) => /\{\{|\}\}/.test(rest(template)))
    .map(({ field }) => ({ field, issue: 'unknown_variable' }));
}

/** Returns null when the text needs a missing value. */
export function fillNarrative(template: string, wordOf: (name: NarrativeVariable) => string | null): string | null {
  const names = new Set([...template.matchAll(variable)].map(([, name]) => name as NarrativeVariable));
  const values = new Map([...names].map((name) => [name, wordOf(name)] as const));
  if ([...values.values()].includes(null)) return null;
  return template.replace(variable, (_, name: NarrativeVariable) => values.get(name) ?? '');
}
