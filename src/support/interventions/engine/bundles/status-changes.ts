// Finds the smallest change of measured statuses that leads to each bundle: one domain, else two.

import {
  type ComprehensionLayer,
  compileComprehension,
  orderedStatuses,
  type SkillStatus,
} from '#assessment/skill-status/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import type { EngineProfile, ProfileRules } from '../profiles/resolve.ts';
import type { ProfileRun } from '../profiles/run.ts';
import type { Recommendation } from './recommend.ts';

export interface StatusChange {
  readonly fact: 'domainStatus';
  readonly domainCode: string;
  readonly is: SkillStatus;
  readonly would: SkillStatus;
}

export interface MeasuredRun {
  readonly grade: number;
  readonly run: ProfileRun;
  /** The recommendation for another profile, while alert, tier, plans and their results are as they are. */
  readonly recommendFor: (profile: EngineProfile) => Recommendation;
}

/**
 * Returns the first change for each bundle by its id: one domain before two, domains in catalogue order, then statuses from
 * worst to best. Only domains with a status change, and none of them to a status about the evidence.
 */
export type StatusChanges = (measured: MeasuredRun) => ReadonlyMap<string, readonly StatusChange[]>;

/** Throws BundleError when a document is missing. */
export function compileStatusChanges(bundle: RuleBundle, profiles: ProfileRules): StatusChanges {
  const comprehensionOf = compileComprehension(bundle);
  return (measured) => {
    const ask = bundleAfter(measured, profiles, comprehensionOf);
    const byDomain = changesByDomain(measured.run, profiles);
    const found = new Map<string, readonly StatusChange[]>();
    for (const changes of [...singles(byDomain), ...pairs(byDomain)]) {
      const bundleId = ask(changes);
      if (bundleId !== null && !found.has(bundleId)) found.set(bundleId, changes);
    }
    return found;
  };
}

/** For each domain with a status, in catalogue order, its other statuses. */
const changesByDomain = ({ domains }: ProfileRun, { catalogue }: ProfileRules): StatusChange[][] =>
  catalogue.domains.flatMap(({ code: domainCode }) => {
    const is = domains[domainCode]?.status;
    if (!is) return [];
    const others = orderedStatuses.filter((status) => status !== is);
    return [others.map((would): StatusChange => ({ fact: 'domainStatus', domainCode, is, would }))];
  });

const singles = (byDomain: readonly StatusChange[][]): StatusChange[][] => byDomain.flat().map((one) => [one]);

const pairs = (byDomain: readonly StatusChange[][]): StatusChange[][] =>
  byDomain.flatMap((first, at) =>
    byDomain.slice(at + 1).flatMap((second) => first.flatMap((one) => second.map((other) => [one, other]))),
  );

/** Asks DDR-LC, PRF and BRR anew. Returns the recommended bundle, or null. */
function bundleAfter(
  { grade, run, recommendFor }: MeasuredRun,
  profiles: ProfileRules,
  comprehensionOf: ComprehensionLayer,
): (changes: readonly StatusChange[]) => string | null {
  const known = new Map<string, string | null>();
  return (changes) => {
    const profile = profiles.resolve(grade, changedRun(run, changes, comprehensionOf));
    const { ruleId, anchorRole, anchorSubSkillCode } = profile;
    // BRR is asked of nothing else in a profile.
    const key = [ruleId, anchorRole, anchorSubSkillCode].join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const after = recommendFor(profile);
    const bundleId = after.outcome === 'recommended' ? after.bundle.bundle_id : null;
    known.set(key, bundleId);
    return bundleId;
  };
}

function changedRun(
  run: ProfileRun,
  changes: readonly StatusChange[],
  comprehensionOf: ComprehensionLayer,
): ProfileRun {
  const changed = changes.map(({ domainCode, would }) => [domainCode, { outcome: 'decided', status: would }] as const);
  const domains: ProfileRun['domains'] = { ...run.domains, ...Object.fromEntries(changed) };
  const { pattern, nextRecommendedDataAction } = comprehensionOf(
    Object.entries(domains).map(([code, { outcome, status }]) => ({
      domain: { code },
      outcome,
      ...(status !== null && { status }),
    })),
  );
  return { ...run, domains, comprehension: { pattern, nextRecommendedDataAction } };
}
