// The texts of a blueprint that pass the language check: its title, which children see, and the teacher's scripts. Items are
// reviewed one by one by people and are not checked (contract 60 §3).
import type { Tier } from '#rules/language/engine/index.ts';
import type { NewBlueprint } from '../schemas.ts';

export interface BlueprintText {
  /** Dotted path in the blueprint. */
  readonly path: string;
  readonly text: string;
  readonly tier: Tier;
}

export const titleTier: Tier = 'student';
export const scriptTier: Tier = 'teacher_note';

export const blueprintTextsOf = ({
  titleAr,
  segments,
}: Pick<NewBlueprint, 'titleAr' | 'segments'>): BlueprintText[] => [
  { path: 'titleAr', text: titleAr, tier: titleTier },
  ...segments.map(({ scriptAr }, at) => ({ path: `segments.${at}.scriptAr`, text: scriptAr, tier: scriptTier })),
];
