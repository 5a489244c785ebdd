// Answers for calibration, without identities of students.

/** One sitting of one sub-skill. Each group has its own ability distribution. */
export interface Sitting {
  /** Index into the groups. */
  readonly group: number;
  /** Indexes into the items; each item once. */
  readonly items: readonly number[];
  readonly correct: readonly boolean[];
}

/** Equal sittings are counted together, since children produce few different patterns. */
export interface SittingPattern extends Sitting {
  readonly count: number;
}

export function patternsOf(sittings: readonly Sitting[]): SittingPattern[] {
  const found = new Map<string, { pattern: Sitting; count: number }>();
  for (const sitting of sittings) {
    const inOrder = sorted(sitting);
    const key = JSON.stringify([inOrder.group, inOrder.items, inOrder.correct]);
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { pattern: inOrder, count: 1 });
  }
  return [...found.values()].map(({ pattern, count }) => ({ ...pattern, count }));
}

function sorted({ group, items, correct }: Sitting): Sitting {
  const order = items.map((_, at) => at).sort((a, b) => (items[a] ?? 0) - (items[b] ?? 0));
  return { group, items: order.map((at) => items[at] ?? 0), correct: order.map((at) => correct[at] ?? false) };
}
