// Divides the members of a cluster into teaching groups: by need of support, with the size limit of the delivery mode.
import type { BundleSettings } from '../bundles/settings.ts';
import { scaffoldTiers } from '../vocabulary.ts';
import type { ClassMember } from './partition.ts';

type Member = Pick<ClassMember, 'studentId' | 'scaffold_tier' | 'independentRate'>;

/**
 * The fewest groups of at most the mode's size, whose sizes differ by at most one, larger first; other modes give one group.
 */
export function teachingGroups(
  members: readonly Member[],
  deliveryMode: string,
  settings: Pick<BundleSettings, 'smallGroup' | 'microGroup'>,
): number[][] {
  const ordered = members.toSorted(bySupport).map(({ studentId }) => studentId);
  const most = mostMembers(deliveryMode, settings) ?? ordered.length;
  const count = Math.ceil(ordered.length / Math.max(1, most));
  const larger = ordered.length % Math.max(1, count);
  const size = Math.floor(ordered.length / Math.max(1, count));
  const groups: number[][] = [];
  for (let at = 0, from = 0; at < count; at += 1) {
    const until = from + size + (at < larger ? 1 : 0);
    groups.push(ordered.slice(from, until));
    from = until;
  }
  return groups;
}

function mostMembers(mode: string, { smallGroup, microGroup }: Pick<BundleSettings, 'smallGroup' | 'microGroup'>) {
  if (mode === 'teacher_led_micro_group') return microGroup;
  return mode === 'teacher_led_small_group' ? smallGroup : undefined;
}

/** Most support first, then unknown rates, then the least independent, then by id. */
function bySupport(a: Member, b: Member): number {
  const rank = ({ scaffold_tier: tier }: Member) => (tier === null ? -1 : scaffoldTiers.indexOf(tier));
  const rate = ({ independentRate }: Member) => independentRate ?? -1;
  return rank(a) - rank(b) || rate(a) - rate(b) || a.studentId - b.studentId;
}
