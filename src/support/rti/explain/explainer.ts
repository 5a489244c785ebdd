// The explainer of alerts, skill states and movements for the workbench.
import Type from 'typebox';
import { isId, rowIdIn } from '#core/platform/ids.ts';
import type { Explainer } from '#rules/rulesets/index.ts';
import { explainAlert } from './explain-alert.ts';
import { explainMovement } from './explain-movement.ts';
import { explainSkillState } from './explain-skill-state.ts';
import { ExplainedAlert, ExplainedMovement, ExplainedSkillState } from './schemas.ts';

/** Kinds `alert:<id>`, `skill-state:<id>` and `movement:<id>`. */
export const tierExplainer: Explainer = {
  kinds: ['alert', 'skill-state', 'movement'],
  view: Type.Union([ExplainedMovement, ExplainedAlert, ExplainedSkillState]),
  async explain(reading, services, kind, id) {
    if (kind === 'alert') return isId(id) ? explainAlert(reading, services, id) : undefined;
    const number = rowIdIn(id);
    if (number === undefined) return undefined;
    return kind === 'movement'
      ? explainMovement(reading, services, number)
      : explainSkillState(reading, services, number);
  },
};
