// Adaptive selection for simulated children, with the product's own estimation and its first selection rule.
import { estimateAbility } from '#assessment/measurement/scoring/engine/eap.ts';

export function eapOf(difficulties: readonly number[], asked: readonly number[], correct: readonly boolean[]): number {
  if (asked.length === 0) return 0;
  const items = asked.map((item, at) => ({
    itemId: String(item),
    difficultyLogit: difficulties[item] ?? 0,
    correct: correct[at] ?? false,
  }));
  return estimateAbility(items).theta;
}

export function nearestItem(
  difficulties: readonly number[],
  asked: readonly number[],
  theta: number,
): number | undefined {
  const left = difficulties.map((_, item) => item).filter((item) => !asked.includes(item));
  const distance = (item: number) => Math.abs((difficulties[item] ?? 0) - theta);
  return left.sort((one, other) => distance(one) - distance(other))[0];
}
