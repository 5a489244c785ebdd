// Compares the decisions of two evaluations; when equal, a recompute appends no run.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import type { TileEvaluation } from '../engine/domains/tiles.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { toGoldenOutput } from '../engine/golden.ts';
import type { EvaluatedSubSkill } from '../engine/skills/status.ts';
import { isEvaluated } from '../results/rows.ts';

/** Compares values first, which settles almost all cases; canonical texts decide the rest. */
export function isSameResult(before: StudentEvaluation, after: StudentEvaluation): boolean {
  if (!isCodedAlike(before, after)) return false;
  if (isAlike(before, after)) return true;
  const [one, other] = [before, after].map((evaluation) => toGoldenOutput('', { ...evaluation, coded: [] }));
  return canonicalJson(one) === canonicalJson(other);
}

const isCodedAlike = ({ coded: one }: StudentEvaluation, { coded: other }: StudentEvaluation): boolean =>
  areAlike(one, other, (left, right) => left.ruleId === right.ruleId && left.code === right.code);

function isAlike(one: StudentEvaluation, other: StudentEvaluation): boolean {
  return (
    one.outcome === other.outcome &&
    one.nextRecommendedDataAction === other.nextRecommendedDataAction &&
    one.global.status === other.global.status &&
    isFlatlySame(one.comprehension, other.comprehension) &&
    areAlike(one.tiles, other.tiles, isSameTile) &&
    areAlike(one.domains, other.domains, isSameDomain) &&
    areAlike(one.subSkills.filter(isEvaluated), other.subSkills.filter(isEvaluated), isSameSubSkill)
  );
}

const isSameTile = (one: TileEvaluation, other: TileEvaluation): boolean =>
  one.tile.code === other.tile.code &&
  one.status === other.status &&
  one.applicable === other.applicable &&
  one.severePath === other.severePath;

const isSameSubSkill = (one: EvaluatedSubSkill, other: EvaluatedSubSkill): boolean =>
  one.subSkill.code === other.subSkill.code &&
  one.outcome === other.outcome &&
  isSameAnswer(one, other) &&
  one.ssrRuleId === other.ssrRuleId &&
  one.pacDecision === other.pacDecision &&
  one.pacReason === other.pacReason &&
  isFlatlySame(one.modifiers, other.modifiers) &&
  one.confirmation.cisRuleId === other.confirmation.cisRuleId &&
  one.confirmation.pac.pacRuleId === other.confirmation.pac.pacRuleId &&
  isFlatlySame(one.confirmation.facts, other.confirmation.facts);

function isSameAnswer(one: EvaluatedSubSkill, other: EvaluatedSubSkill): boolean {
  if (one.outcome === 'decided') {
    if (other.outcome !== 'decided') return false;
    const { status, confidence, decisionStrength } = other;
    return one.status === status && one.confidence === confidence && one.decisionStrength === decisionStrength;
  }
  if (other.outcome === 'decided') return false;
  return one.nextRecommendedDataAction === other.nextRecommendedDataAction && one.itemsNeeded === other.itemsNeeded;
}

function isSameDomain(one: DomainEvaluation, other: DomainEvaluation): boolean {
  if (one.domain.code !== other.domain.code || one.ruleId !== other.ruleId) return false;
  if (!isFlatlySame(one.figures, other.figures)) return false;
  if (one.outcome === 'decided') {
    if (other.outcome !== 'decided') return false;
    return (
      one.status === other.status && isFlatlySame(one.tile, other.tile) && isFlatlySame(one.modifiers, other.modifiers)
    );
  }
  return one.outcome === other.outcome && nextActionOf(one) === nextActionOf(other);
}

const nextActionOf = (one: DomainEvaluation): string | null =>
  one.outcome === 'do_not_decide_yet' ? one.nextRecommendedDataAction : null;

function areAlike<T>(one: readonly T[], other: readonly T[], isSame: (left: T, right: T) => boolean): boolean {
  return (
    one.length === other.length &&
    one.every((left, at) => {
      const right = other[at];
      return right !== undefined && isSame(left, right);
    })
  );
}

/** Compares objects and lists without nested ones. */
function isFlatlySame(one: object, other: object): boolean {
  if (one === other) return true;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length && keys.every((key) => Reflect.get(one, key) === Reflect.get(other, key))
  );
}
