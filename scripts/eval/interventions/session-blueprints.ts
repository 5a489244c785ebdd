// Cases of lesson blueprints: the findings about one, and which of several fit the assignments of a class.
import { checkText } from '#rules/language/index.ts';
import {
  type ActiveAssignment,
  type PublishedHead,
  recommendLessons,
} from '#teaching/lesson-blueprints/engine/recommended.ts';
import { blueprintTextsOf } from '#teaching/lesson-blueprints/engine/texts.ts';
import type { NewBlueprint } from '#teaching/lesson-blueprints/schemas.ts';
import type { Engines } from './engines.ts';

interface FindingsInput {
  readonly blueprint: NewBlueprint;
  /** The codes of the batch, its own included. */
  readonly codes: readonly string[];
}

export function findingsCase({ blueprint, codes }: FindingsInput, { bundle, blueprints }: Engines): string[] {
  const sameCodes = codes.filter((code) => code === blueprint.blueprintCode).length;
  const unsafeTexts = blueprintTextsOf(blueprint).flatMap(({ path, text, tier }) =>
    checkText(bundle, text, tier).safe ? [] : [path],
  );
  const findings = blueprints({ blueprint, sameCodes, samePublished: false, unsafeTexts });
  return [...new Set(findings.map(({ ruleId }) => ruleId))];
}

interface RecommendedInput {
  readonly grade: number;
  readonly assignments: readonly ActiveAssignment[];
  readonly blueprints: readonly PublishedHead[];
}

export const recommendedCase = (input: RecommendedInput, { recommendation }: Engines) =>
  recommendLessons({ ...input, bundles: recommendation.catalogue.byId });
