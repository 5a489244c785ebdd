// Scores answers from other systems: theta, its error and the next item, without writing.

import { invalid } from '#core/platform/errors.ts';
import { round4 } from '#core/platform/pure/round.ts';
import type { GradeBand, Item } from '../../content/index.ts';
import type { MeasurementRules } from '../rules.ts';
import { estimateAbility, type Prior, type ScoredItem, standardPrior } from '../scoring/engine/eap.ts';
import { selectNext } from '../scoring/engine/select.ts';

export interface ScoreInput {
  readonly subSkillCode: string;
  readonly gradeBand: GradeBand;
  readonly responses: readonly (
    | { readonly itemId: string; readonly selectedOptionIndex: number }
    | { readonly itemId: string; readonly correct: boolean }
  )[];
  readonly priorTheta?: number;
  readonly priorSE?: number;
  readonly seenItemIds?: readonly string[];
}

/**
 * Throws VALIDATION_ERROR for an unknown sub-skill or item, an item of another sub-skill or band, or a repeated item.
 */
export function scoreResponses(input: ScoreInput, { bank, values, catalogue }: MeasurementRules) {
  if (!catalogue.subSkills.some(({ code }) => code === input.subSkillCode)) throw invalid('subSkillCode', 'is unknown');
  const items = input.responses.map(({ itemId }, index) => itemOf(input, bank.find(itemId), index));
  refuseRepeats(items);
  const scored = items.map((item, index) => scoredItem(item, input, index));
  const prior: Prior = { mean: input.priorTheta ?? standardPrior.mean, sd: input.priorSE ?? standardPrior.sd };
  const ability = estimateAbility(scored, prior);
  const enough = scored.length >= values.minScoredForTheta;
  const next = selectNext({
    cell: bank.cell(input.subSkillCode, input.gradeBand),
    theta: ability.theta,
    served: new Set(items.map(({ id }) => id)),
    seen: new Set(input.seenItemIds?.map((id) => bank.find(id)?.id ?? id)),
    nearLogit: values.nearLogit,
    fairLogit: values.fairLogit,
  });
  return {
    outcome: next ? (enough ? ('scored' as const) : ('insufficient_data' as const)) : ('no_eligible_item' as const),
    newTheta: enough ? round4(ability.theta) : null,
    newSE: enough ? round4(ability.se) : null,
    calibrationVersion: values.calibrationVersion,
    nextItemId: next?.item.id ?? null,
    selectionTier: next?.tier ?? null,
    calibrationProvisional: items.some(({ calibration }) => calibration.n < values.trustedCalibrationN),
    n: scored.length,
  };
}

function itemOf(input: ScoreInput, item: Item | undefined, index: number): Item {
  if (!item) throw invalid(`responses.${index}.itemId`, 'is unknown');
  if (item.subSkillCode !== input.subSkillCode || item.gradeBand !== input.gradeBand) {
    throw invalid(`responses.${index}.itemId`, 'belongs to another sub-skill or grade band');
  }
  return item;
}

function refuseRepeats(items: readonly Item[]): void {
  const repeated = items.findIndex((item, index) => items.indexOf(item) < index);
  if (repeated >= 0) throw invalid(`responses.${repeated}.itemId`, 'is named twice');
}

function scoredItem(item: Item, { responses }: ScoreInput, index: number): ScoredItem {
  const response = responses[index];
  const input = response && 'correct' in response ? response.correct : undefined;
  const chosen = response && 'selectedOptionIndex' in response ? response.selectedOptionIndex : undefined;
  if (chosen !== undefined && chosen >= item.options.length) {
    throw invalid(`responses.${index}.selectedOptionIndex`, 'is not an option of this item');
  }
  return { itemId: item.id, difficultyLogit: item.difficulty, correct: input ?? chosen === item.correctIndex };
}
