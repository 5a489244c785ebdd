// Extracts the input of a profile from a complete evaluation.
import type { StudentEvaluation } from '#assessment/skill-status/engine/index.ts';
import type { ProfileRun, RunDomain, RunSubSkill } from './run.ts';

export function profileRun(evaluation: StudentEvaluation, contextReview: boolean): ProfileRun {
  const { subSkills, domains, comprehension, tiles } = evaluation;
  return {
    contextReview,
    subSkills: Object.fromEntries(subSkills.map((one) => [one.subSkill.code, runSubSkill(one)])),
    domains: Object.fromEntries(domains.map((one) => [one.domain.code, runDomain(one)])),
    comprehension: {
      pattern: comprehension.pattern,
      nextRecommendedDataAction: comprehension.nextRecommendedDataAction,
    },
    tiles: Object.fromEntries(tiles.map(({ tile, status }) => [tile.code, status])),
  };
}

const runSubSkill = (one: StudentEvaluation['subSkills'][number]): RunSubSkill => ({
  outcome: one.outcome,
  reason: one.pacReason,
  status: one.outcome === 'decided' ? one.status : null,
  nextRecommendedDataAction: one.outcome === 'do_not_decide_yet' ? one.nextRecommendedDataAction : null,
});

const runDomain = (one: StudentEvaluation['domains'][number]): RunDomain => ({
  outcome: one.outcome,
  status: one.outcome === 'decided' ? one.status : null,
});
