// The whole pipeline as one pure function from evidence to the answers of all layers.

import { type Catalogue, compileCatalogue } from '#rules/catalogue/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { EvaluationInput } from '../../measurement/engine/index.ts';
import { type BehaviourLayer, compileBehaviour, readThresholds } from '../../measurement/engine/index.ts';
import { type Comprehension, type ComprehensionLayer, compileComprehension } from './domains/comprehension.ts';
import { compileDomainLayer, type DomainEvaluation, type DomainLayer } from './domains/status.ts';
import { evaluateTile, overallStatus, type TileEvaluation } from './domains/tiles.ts';
import { compileCoding } from './evidence/coding.ts';
import { type CodedResponse, type GatherRules, gather } from './evidence/gather.ts';
import { isHalted } from './halted.ts';
import { compileConfirmation } from './skills/confirmation.ts';
import { compileStatus, type SubSkillEvaluation, type Undecided } from './skills/status.ts';
import { evaluateSubSkills, type SubSkillRules } from './skills/sub-skills.ts';
import type { HaltAction, TileStatus } from './vocabulary.ts';

/** The compiled rules of one bundle; immutable. */
export interface Pipeline extends GatherRules, SubSkillRules {
  readonly behaviourOf: BehaviourLayer;
  readonly domainOf: DomainLayer;
  readonly comprehensionOf: ComprehensionLayer;
  /** `family/key` → version of every pinned document, for stamps. */
  readonly ruleVersions: RuleBundle['versions'];
}

/** Whether the measurement is complete, and what to measure next when it is not. */
export type StudentOutcome =
  | { readonly outcome: 'decided'; readonly nextRecommendedDataAction: null }
  | { readonly outcome: 'do_not_decide_yet'; readonly nextRecommendedDataAction: HaltAction };

export type StudentEvaluation = StudentOutcome & {
  readonly halted: boolean;
  /** In input order. */
  readonly coded: readonly CodedResponse[];
  /** The sub-skills in scope, in catalogue order. */
  readonly subSkills: readonly SubSkillEvaluation[];
  /** All domains, in catalogue order. */
  readonly domains: readonly DomainEvaluation[];
  readonly comprehension: Comprehension;
  readonly tiles: readonly TileEvaluation[];
  readonly global: { readonly status: TileStatus };
};

/** Throws BundleError when a document is missing, RangeError when one contains unknown values. */
export function compilePipeline(bundle: RuleBundle): Pipeline {
  const thresholds = readThresholds(bundle);
  return {
    catalogue: compileCatalogue(bundle),
    thresholds,
    coding: compileCoding(bundle),
    behaviourOf: compileBehaviour(bundle, thresholds),
    confirm: compileConfirmation(bundle, thresholds),
    statusOf: compileStatus(bundle, thresholds),
    domainOf: compileDomainLayer(bundle, thresholds),
    comprehensionOf: compileComprehension(bundle),
    ruleVersions: bundle.versions,
  };
}

/** Throws EvidenceError when the evidence names a session or sub-skill that does not exist. */
export function evaluateStudent(input: EvaluationInput, pipeline: Pipeline): StudentEvaluation {
  const { coded, bySubSkill } = gather(input, pipeline);
  const situation = { grade: input.grade, contextReview: input.contextReviewActive };
  const subSkills = evaluateSubSkills(bySubSkill, situation, pipeline);
  const domains = evaluateDomains(subSkills, pipeline);
  const tiles = pipeline.catalogue.tiles.map((tile) => evaluateTile(tile, domains));
  return {
    ...studentOutcome(subSkills),
    halted: isHalted(subSkills),
    coded,
    subSkills,
    domains,
    comprehension: pipeline.comprehensionOf(domains),
    tiles,
    global: { status: overallStatus(tiles) },
  };
}

function evaluateDomains(
  subSkills: readonly SubSkillEvaluation[],
  { catalogue, domainOf }: { readonly catalogue: Catalogue; readonly domainOf: DomainLayer },
): DomainEvaluation[] {
  const inDomain: SubSkillEvaluation[][] = catalogue.domains.map(() => []);
  for (const evaluation of subSkills) inDomain[evaluation.subSkill.domainIndex]?.push(evaluation);
  return catalogue.domains.map((domain) => domainOf(domain, inDomain[domain.index] ?? []));
}

function studentOutcome(subSkills: readonly SubSkillEvaluation[]): StudentOutcome {
  const halted = subSkills.find((evaluation): evaluation is Undecided => evaluation.outcome === 'do_not_decide_yet');
  if (halted) {
    return { outcome: 'do_not_decide_yet', nextRecommendedDataAction: halted.nextRecommendedDataAction };
  }
  const complete = subSkills.some((evaluation) => evaluation.outcome === 'decided');
  if (complete) return { outcome: 'decided', nextRecommendedDataAction: null };
  return { outcome: 'do_not_decide_yet', nextRecommendedDataAction: 'run_diagnostic' };
}
