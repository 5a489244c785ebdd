// The explainer of profiles, assignments and groups for the workbench.
import Type from 'typebox';
import { isId, rowIdIn } from '#core/platform/ids.ts';
import type { Explainer } from '#rules/rulesets/index.ts';
import { explainAssignment } from './explain-assignment.ts';
import { explainGeneration } from './explain-generation.ts';
import { explainProfile } from './explain-profile.ts';
import { ExplainedAssignment, ExplainedGeneration, ExplainedProfile } from './schemas.ts';

/** Kinds `profile:<id>`, `assignment:<id>` and `generation:<id>`. */
export const supportExplainer: Explainer = {
  kinds: ['profile', 'assignment', 'generation'],
  view: Type.Union([ExplainedGeneration, ExplainedAssignment, ExplainedProfile]),
  async explain(reading, services, kind, id) {
    if (kind === 'profile') {
      const number = rowIdIn(id);
      return number === undefined ? undefined : explainProfile(reading, services, number);
    }
    if (!isId(id)) return undefined;
    return kind === 'assignment' ? explainAssignment(reading, services, id) : explainGeneration(reading, services, id);
  },
};
