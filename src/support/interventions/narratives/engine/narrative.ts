// A narrative: the texts about a profile for one audience.
import type { Tier } from '#rules/language/engine/index.ts';
import type { Audience, NarratedProfile, NarrativeWindow } from '../enums.ts';

export interface TeacherText {
  readonly titleAr: string;
  readonly bodyAr: string;
}
export interface Suggestion extends TeacherText {
  readonly suggestionCode: string;
}

/** One narrative is in force for each slot. */
export interface Slot {
  readonly profileCode: NarratedProfile;
  readonly audience: Audience;
  readonly window: NarrativeWindow;
}

/** Narratives for teachers have a title and a body, those for parents have suggestions. */
export interface NarrativeContent {
  readonly titleAr: string | null;
  readonly bodyAr: string | null;
  readonly suggestions: readonly Suggestion[] | null;
}

export type Narrative = Slot & NarrativeContent;

/** The strictest tier of the audience. */
export const tierOf = (audience: Audience): Tier => (audience === 'teacher' ? 'teacher_note' : 'parent_stricter');

export interface NarrativeText {
  /** The path in the request: `suggestions.0.bodyAr`. */
  readonly field: string;
  /** An id that stays when the text changes: `HS-01/bodyAr`. */
  readonly textPath: string;
  readonly template: string;
}

const parts = ['titleAr', 'bodyAr'] as const;

export function narrativeTextsOf({ titleAr, bodyAr, suggestions }: NarrativeContent): NarrativeText[] {
  const own = { titleAr, bodyAr };
  return [
    ...parts.flatMap((part) =>
      ((template) => (template === null ? [] : [{ field: part, textPath: part, template }]))(own[part]),
    ),
    ...(suggestions ?? []).flatMap((one, at) =>
      parts.map((part) => ({
        field: `suggestions.${at}.${part}`,
        textPath: `${one.suggestionCode}/${part}`,
        template: one[part],
      })),
    ),
  ];
}
