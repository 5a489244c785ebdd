// Merges a text with the version that has come into the place of its base: what only one side has changed is taken, and what both
// have changed differently is a conflict, which a person decides.
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { outcomeCell } from '../../validation/engine/rule-cells.ts';
import { type PartedText, partsOf, type WholeText, wholeText } from './text-parts.ts';

export type Side = 'mine' | 'theirs';

export interface MergeConflict {
  readonly path: string;
  /** JSON; null on a side that lacks the part. */
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

export interface ThreeTexts {
  /** Null where the text began without a version. */
  readonly base: WholeText | null;
  readonly theirs: WholeText;
  readonly mine: WholeText;
  /** The number that the merged text gets. */
  readonly version: number;
}

export interface Merged {
  /** Those that no side was taken for. */
  readonly conflicts: readonly MergeConflict[];
  /** The paths of all conflicts, also of those that are decided. */
  readonly paths: readonly string[];
  readonly text: WholeText;
}

const nothing: PartedText = { parts: new Map(), rules: [], facts: new Map() };

/** `sides`: the decisions by path. */
export function threeWay({ base, theirs, mine, version }: ThreeTexts, sides: ReadonlyMap<string, Side>): Merged {
  const [old, their, own] = [base ? partsOf(base) : nothing, partsOf(theirs), partsOf(mine)];
  const parts = new Map<string, unknown>();
  const conflicts: MergeConflict[] = [];
  for (const path of new Set([...their.parts.keys(), ...own.parts.keys()])) {
    const three = { base: old.parts.get(path), theirs: their.parts.get(path), mine: own.parts.get(path) };
    const removed = removedRule(path, old, their, own);
    const isConflict = removed ? removed.isConflict : isBothChanged(three);
    if (removed?.isConflict && path !== removed.path) continue;
    const side: Side | undefined = isConflict ? sides.get(path) : (removed?.side ?? changedSide(three));
    if (isConflict) conflicts.push(conflictOf(path, three, removed && { old, their, own }));
    takePart(parts, path, removed?.isConflict ? (side ?? 'mine') : undefined, { their, own });
    if (!removed?.isConflict) {
      const value = three[side ?? 'mine'];
      if (value !== undefined) parts.set(path, value);
    }
  }
  const rules = mergedOrder(old.rules, their.rules, own.rules);
  const facts = new Map([...their.facts, ...own.facts]);
  return {
    conflicts: conflicts.filter(({ path }) => !sides.has(path)),
    paths: conflicts.map(({ path }) => path),
    text: wholeText({ parts, rules, facts }, version),
  };
}

interface ThreeParts {
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
}

const same = (one: unknown, other: unknown): boolean => canonicalJson(one ?? null) === canonicalJson(other ?? null);

const isBothChanged = ({ base, theirs, mine }: ThreeParts): boolean =>
  !same(theirs, mine) && !same(base, theirs) && !same(base, mine);

const changedSide = ({ base, mine }: ThreeParts): Side => (same(base, mine) ? 'theirs' : 'mine');

interface RemovedRule {
  /** The path that stands for the whole rule. */
  readonly path: string;
  readonly isConflict: boolean;
  readonly side: Side;
}

/** A rule that one side has removed is gone as a whole, unless the other side has changed it. */
function removedRule(path: string, old: PartedText, their: PartedText, own: PartedText): RemovedRule | undefined {
  const id = ruleIn(path);
  if (id === undefined || !old.rules.includes(id)) return undefined;
  const [theirsHas, mineHas] = [their.rules.includes(id), own.rules.includes(id)];
  if (theirsHas === mineHas) return undefined;
  const kept = theirsHas ? their : own;
  const isConflict = !same(ruleParts(old, id), ruleParts(kept, id));
  return { path: `rules/${id}/${outcomeCell}`, isConflict, side: theirsHas ? 'mine' : 'theirs' };
}

/** The rule id of a path; ids have no slash. */
const ruleIn = (path: string): string | undefined => (path.startsWith('rules/') ? path.split('/')[1] : undefined);

const ruleParts = ({ parts }: PartedText, id: string): Record<string, unknown> =>
  Object.fromEntries([...parts].filter(([path]) => ruleIn(path) === id));

function conflictOf(
  path: string,
  three: ThreeParts,
  whole: Readonly<Record<'old' | 'their' | 'own', PartedText>> | undefined,
): MergeConflict {
  if (!whole) return { path, base: three.base ?? null, theirs: three.theirs ?? null, mine: three.mine ?? null };
  const id = ruleIn(path) ?? '';
  const of = (text: PartedText) => (text.rules.includes(id) ? ruleParts(text, id) : null);
  return { path, base: of(whole.old), theirs: of(whole.their), mine: of(whole.own) };
}

/** Takes the whole rule of one side. */
function takePart(
  parts: Map<string, unknown>,
  path: string,
  side: Side | undefined,
  { their, own }: { readonly their: PartedText; readonly own: PartedText },
): void {
  if (side === undefined) return;
  const id = ruleIn(path) ?? '';
  for (const [one, value] of Object.entries(ruleParts(side === 'mine' ? own : their, id))) parts.set(one, value);
}

/** The order of the side that has moved rules, theirs before mine; a rule of mine alone stays behind the one before it. */
function mergedOrder(base: readonly string[], theirs: readonly string[], mine: readonly string[]): string[] {
  const common = base.filter((id) => theirs.includes(id) && mine.includes(id));
  const ordered = (rules: readonly string[]) => rules.filter((id) => common.includes(id)).join(' ');
  const isTheirs = ordered(theirs) !== common.join(' ') || ordered(mine) === common.join(' ');
  const [first, second] = isTheirs ? [theirs, mine] : [mine, theirs];
  const merged = [...first];
  for (const [at, id] of second.entries()) {
    if (merged.includes(id)) continue;
    const before = second.slice(0, at).findLast((one) => merged.includes(one));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, id);
  }
  return merged;
}
