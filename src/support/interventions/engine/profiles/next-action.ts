// The next measurement or review that leads to an educational profile for a student without one.

import type { NextDataAction } from '#assessment/skill-status/engine/index.ts';
import type { SubSkill } from '#rules/catalogue/engine/index.ts';
import type { ProfileContext, ProfileFacts } from './facts.ts';
import type { RunSubSkill } from './run.ts';

/** For a student without any measurement. */
export const firstAction: NextDataAction = 'run_diagnostic';

/**
 * For a halt, the action of the first halting sub-skill in catalogue order; for a required role without a status, that of
 * its first undecided sub-skill in scope; else that of the comprehension block.
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

/** A sub-skill without a result needs a diagnostic; oral reading is measured separately. */
const actionOf = ({ measuredByOrf }: SubSkill, found: RunSubSkill | undefined): NextDataAction =>
  found?.nextRecommendedDataAction ?? (measuredByOrf ? 'administer_orf' : firstAction);
