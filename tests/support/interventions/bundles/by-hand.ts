// The bundle of a student by contract 40 §5 and 50 §1.2 and §2.3, written out as conditions: the expected values of changes.
import type { OpenAssignment } from '#support/interventions/engine/bundles/covering.ts';

export type Statuses = Readonly<Record<string, string>>;

interface Student {
  readonly grade: number;
  readonly halted: boolean;
  /** Only marks are weak. */
  readonly indicatorOnly: boolean;
  readonly statuses: Statuses;
}

const concern = [
  ...['broad_weakness_related', 'weak_gateway', 'weak_domain_related', 'weak_isolated'],
  ...['cautionary_weakness_with_metadata', 'contextual_review', 'monitor_gateway', 'monitor', 'adequate'],
];
const roles = {
  ...{ PHON: ['PA'], LETTER: ['LK'], DECODE: ['DEC'], FLUENCY: ['FLU'] },
  ...{ LANGUAGE: ['LIS', 'VOC'], COMP: ['RC'], ENCODE: ['SPL'] },
};
type Role = keyof typeof roles;
const names = Object.keys(roles) as Role[];
const requiredAt: Readonly<Record<number, readonly Role[]>> = {
  1: ['PHON', 'LETTER', 'DECODE', 'LANGUAGE'],
  2: ['LETTER', 'DECODE', 'LANGUAGE', 'COMP'],
  3: ['DECODE', 'LANGUAGE', 'COMP'],
  4: ['DECODE', 'LANGUAGE', 'COMP'],
};

const isWeak = (status: string | undefined) => status !== undefined && concern.indexOf(status) < 4;
const isStrong = (status: string | undefined) => isWeak(status) && status !== 'weak_isolated';
const isDoubtful = (status: string | undefined) =>
  status === undefined || status.startsWith('cautionary') || status === 'contextual_review';

function patternOf({ RC, LK, DEC, FLU, LIS, VOC }: Statuses): string {
  if (RC === undefined || !(isWeak(RC) || isDoubtful(RC))) return 'none';
  const [decodingWeak, languageWeak] = [[LK, DEC, FLU].some(isWeak), [LIS, VOC].some(isWeak)];
  const decodingOk = !decodingWeak && !isDoubtful(DEC);
  const languageOk = !languageWeak && !isDoubtful(LIS);
  if (isDoubtful(RC)) return 'inconclusive';
  if (decodingWeak && languageWeak) return 'dual';
  if (decodingWeak && languageOk) return 'decoding';
  if (decodingOk && languageWeak) return 'language';
  return decodingOk && languageOk ? 'text' : 'inconclusive';
}

type Profile = readonly [code: string, role: Role | null, ruleId?: string];

/** Null without an educational profile. */
function profileByHand({ grade, halted, indicatorOnly, statuses }: Student): Profile | null {
  const of = (role: Role) => concern.find((status) => roles[role].some((domain) => statuses[domain] === status));
  const required = requiredAt[grade] ?? [];
  const pattern = patternOf(statuses);
  const first = (is: (status: string | undefined) => boolean) => names.find((role) => is(of(role)));
  const count = (is: (status: string | undefined) => boolean) => names.filter((role) => is(of(role))).length;
  const named = pattern === 'decoding' || pattern === 'dual';
  const bottleneck = !named ? null : isWeak(of('DECODE')) ? 'DECODE' : isWeak(of('LETTER')) ? 'LETTER' : 'FLUENCY';
  if (halted || required.some((role) => of(role) === undefined)) return null;
  const context = required.find((role) => roles[role].some((domain) => statuses[domain] === 'contextual_review'));
  if (context) return ['CONTEXTUAL_REVIEW', context];
  if (pattern === 'inconclusive' && isWeak(of('COMP'))) return null;
  if (indicatorOnly) return ['MONITOR_WATCH', null, 'PRF-05'];
  if (count((status) => status === 'broad_weakness_related') >= 2 || count(isStrong) >= 4) {
    return ['BROAD_NEED', first(isStrong) ?? null];
  }
  if (pattern === 'dual' && bottleneck === 'DECODE') return ['COMBINED_DUAL_NEED', 'DECODE'];
  if (isStrong(of('PHON'))) return ['PHONOLOGICAL_NEED', 'PHON'];
  if (isStrong(of('LETTER')) || bottleneck === 'LETTER') return ['LETTER_SOUND_NEED', 'LETTER'];
  if (isStrong(of('DECODE')) || bottleneck === 'DECODE') return ['DECODING_NEED', 'DECODE'];
  if (isStrong(of('LANGUAGE')) || pattern === 'language') return ['LANGUAGE_NEED', 'LANGUAGE'];
  if (isStrong(of('FLUENCY')) || bottleneck === 'FLUENCY') return ['FLUENCY_NEED', 'FLUENCY'];
  if (isStrong(of('COMP')) || pattern === 'text') return ['TEXT_STRATEGY_NEED', 'COMP'];
  if (isStrong(of('ENCODE'))) return ['ENCODING_NEED', 'ENCODE'];
  const isolated = first((status) => status === 'weak_isolated');
  if (isolated) return ['ISOLATED_GAP', isolated];
  const cautious = first((status) => status?.startsWith('cautionary') ?? false);
  if (cautious) return ['CAUTIONARY_WATCH', cautious];
  const watched = first((status) => status?.startsWith('monitor') ?? false);
  return watched ? ['MONITOR_WATCH', watched] : ['ON_TRACK', null];
}

/** By grade: 1 and 2, or 3 and 4. */
const byGrade = (name: string) => (grade: number) => `${name}-0${grade <= 2 ? 1 : 2}`;
const bundles: Readonly<Record<string, (grade: number) => string>> = {
  BROAD_NEED: (grade) => (grade <= 2 ? 'CIB-BROAD-01' : 'CSP-BROAD-01'),
  COMBINED_DUAL_NEED: () => 'CIB-DUAL-01',
  PHONOLOGICAL_NEED: byGrade('BND-PHON'),
  LETTER_SOUND_NEED: byGrade('BND-LETTER'),
  DECODING_NEED: byGrade('BND-DECODE'),
  LANGUAGE_NEED: byGrade('BND-LANGUAGE'),
  FLUENCY_NEED: () => 'BND-FLUENCY-01',
  TEXT_STRATEGY_NEED: () => 'BND-COMP-01',
  ENCODING_NEED: () => 'BND-ENCODE-01',
};

/** `open`: plans of one role, named by their bundles, strong enough for every need. */
export function bundleByHand(student: Student, open: readonly OpenAssignment[]): string | null {
  const profile = profileByHand(student);
  if (profile === null) return null;
  const [code, role, ruleId] = profile;
  if (code === 'CONTEXTUAL_REVIEW') return 'DCP-CONTEXT-01';
  if (code === 'CAUTIONARY_WATCH') return 'DCP-METADATA-01';
  const covering = open.find(({ bundle_id }) => bundle_id.split('-')[1] === role);
  if (covering && code !== 'ON_TRACK') return covering.bundle_id;
  if (code === 'ISOLATED_GAP') return `SUP-${role}-01`;
  if (code === 'MONITOR_WATCH') return ruleId === 'PRF-05' ? 'SUP-ARACC-01' : 'LSA-MONITOR-01';
  return bundles[code]?.(student.grade) ?? 'NIO-CORE-01';
}
