// Condition trees with one member removed, for redundancy and mutation analysis.
import type { AllOf, AnyOf, Condition, RootCondition } from '../document/document.ts';

export interface Drop {
  /** Path of the removed member, such as `all.1.any.0`. */
  readonly at: string;
  readonly dropped: Condition;
  readonly root: RootCondition;
}

/** Returns one drop per member of each list. A list of one is dropped as a whole, except the root's. */
export function dropsOf(root: RootCondition): readonly Drop[] {
  if ('all' in root && root.all.length === 1) {
    const [only] = root.all;
    const inner = only ? within(only, 'all.0.', (member) => ({ all: [member] })) : [];
    return [...(only ? [{ at: 'all.0', dropped: only, root: { all: [] } }] : []), ...inner];
  }
  return within(root, '', (member) => member as RootCondition);
}

type Rebuild = (member: Condition) => RootCondition;

function within(node: Condition, at: string, rebuild: Rebuild): readonly Drop[] {
  if ('not' in node) return within(node.not, `${at}not.`, (member) => rebuild({ not: member }));
  if ('all' in node) return fromList(node.all, `${at}all.`, (members): AllOf => ({ all: members }), rebuild);
  if ('any' in node) return fromList(node.any, `${at}any.`, (members): AnyOf => ({ any: members }), rebuild);
  return [];
}

function fromList(
  members: readonly Condition[],
  at: string,
  listOf: (members: readonly Condition[]) => Condition,
  rebuild: Rebuild,
): readonly Drop[] {
  return members.flatMap((member, index) => {
    const here = { at: `${at}${index}`, dropped: member, root: rebuild(listOf(members.toSpliced(index, 1))) };
    const inner = within(member, `${at}${index}.`, (changed) => rebuild(listOf(members.with(index, changed))));
    return members.length > 1 ? [here, ...inner] : inner;
  });
}
