// What to measure or review next so that a student without an educational profile gets one.

import type { NextDataAction } from '#assessment/skill-status/engine/index.ts';
import type { SubSkill } from '#rules/catalogue/engine/index.ts';
import type { ProfileContext, ProfileFacts } from './facts.ts';
import type { RunSubSkill } from './run.ts';

/** Nobody was measured yet. */
export const firstAction: NextDataAction = 'run_diagnostic';

/**
 * Of a halt: the action of the first halting sub-skill in catalogue order. Of a required role without a status: of its
 * first undecided sub-skill in scope. Else that of the comprehension block.
 */
export function nextAction(context: ProfileContext, { dndy, requiredMissing }: ProfileFacts): NextDataAction {
  if (dndy) return haltingAction(context) ?? firstAction;
  if (requiredMissing) return missingRoleAction(context);
  return context.run.comprehension.nextRecommendedDataAction ?? firstAction;
}

const haltingReasons: ReadonlySet<unknown> = new Set(['INSUFFICIENT_ITEMS', 'CONFLICTING_EVIDENCE']);

function haltingAction({ run, catalogue }: ProfileContext): NextDataAction | null {
  const halting = catalogue.subSkills.find(({ code }) => {
    const found = run.subSkills[code];
    return found?.outcome === 'do_not_decide_yet' && haltingReasons.has(found.reason);
  });
  return halting ? actionOf(halting, run.subSkills[halting.code]) : null;
}

function missingRoleAction({ run, roles, statuses, grade }: ProfileContext): NextDataAction {
  const missing = statuses.find(({ required, status }) => required && status === null);
  const subSkills = roles.byCode.get(missing?.code ?? '')?.subSkills ?? [];
  const undecided = subSkills.find(
    ({ code, grades }) => grades.includes(grade) && run.subSkills[code]?.outcome !== 'decided',
  );
  return undecided ? actionOf(undecided, run.subSkills[undecided.code]) : firstAction;
}

/** One that no diagnostic has opened is opened by one; oral reading is measured by itself. */
const actionOf = ({ measuredByOrf }: SubSkill, found: RunSubSkill | undefined): NextDataAction =>
  found?.nextRecommendedDataAction ?? (measuredByOrf ? 'administer_orf' : firstAction);
