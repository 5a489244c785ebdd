// The closed dictionary of situations that a school may record about a student, and the codes that must never be
// recorded.
import { errorFinding, type Finding, type LocalText, type ValueQuestion } from '../../rulesets/engine/index.ts';

/** `review`: a person reviews before a weakness gets a label. `none`: no effect on results. */
export const flagEffects = ['review', 'none'] as const;
export type FlagEffect = (typeof flagEffects)[number];

export interface ContextFlag extends LocalText {
  readonly code: string;
  readonly effect: FlagEffect;
}

export interface ContextFlags {
  readonly flags: readonly ContextFlag[];
  readonly blocked: readonly string[];
}

/** Codes that no version may make selectable. */
const neverSelectable = ['medical_diagnosis', 'family_income', 'religion', 'nationality', 'behaviour_label'] as const;

export function flagFindings({ document, cases }: ValueQuestion): readonly Finding[] {
  const { flags, blocked } = document as unknown as ContextFlags;
  const codes = flags.map(({ code }) => code);
  const twice = codes.filter((code, at) => codes.indexOf(code) < at);
  const missing = neverSelectable.filter((code) => !blocked.includes(code));
  const both = blocked.filter((code) => codes.includes(code));
  return [
    ...twice.map((flag) => errorFinding('SCHEMA', 'flag_twice', { flag })),
    ...missing.map((flag) => errorFinding('SCHEMA', 'flag_not_blocked', { flag })),
    ...both.map((flag) => errorFinding('SCHEMA', 'flag_blocked', { flag })),
    ...cases.map(({ name }) => errorFinding('CASE_FAILED', 'dictionary_has_none', { case: name })),
  ];
}
