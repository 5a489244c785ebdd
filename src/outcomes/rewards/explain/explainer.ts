// Explains mastery events and badges to the workbench.
import Type from 'typebox';
import { rowIdIn } from '#core/platform/ids.ts';
import type { Explainer } from '#rules/rulesets/index.ts';
import { explainBadge } from './explain-badge.ts';
import { explainMastery } from './explain-mastery.ts';
import { ExplainedBadge, ExplainedMastery } from './schemas.ts';

/** `mastery:<id>`, `badge:<id>`. */
export const rewardsExplainer: Explainer = {
  kinds: ['mastery', 'badge'],
  view: Type.Union([ExplainedBadge, ExplainedMastery]),
  async explain(reading, services, kind, id) {
    const number = rowIdIn(id);
    if (number === undefined) return undefined;
    return kind === 'badge' ? explainBadge(reading, services, number) : explainMastery(reading, services, number);
  },
};
