// What the workbench asks when somebody wants to know why a profile, a plan or a group is what it is.
import Type from 'typebox';
import { isId, rowIdIn } from '#core/platform/ids.ts';
import type { Explainer } from '#rules/rulesets/index.ts';
import { explainAssignment } from './explain-assignment.ts';
import { explainGeneration } from './explain-generation.ts';
import { explainProfile } from './explain-profile.ts';
import { ExplainedAssignment, ExplainedGeneration, ExplainedProfile } from './schemas.ts';

/** `profile:<id>`, `assignment:<id>`, `generation:<id>`. */
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
