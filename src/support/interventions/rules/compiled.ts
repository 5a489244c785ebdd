// Everything that interventions read out of a rule bundle, compiled once a process.
import { unavailable } from '#core/platform/errors.ts';
import { BundleError, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileFidelity } from '../engine/assignments/delivered.ts';
import { compileSteps } from '../engine/assignments/steps.ts';
import { compileTrack } from '../engine/assignments/track.ts';
import { compileRecommendation, type RecommendationRules } from '../engine/bundles/recommend.ts';
import { type BundleSettings, bundleSettings } from '../engine/bundles/settings.ts';
import { compileWhy } from '../engine/bundles/why.ts';
import { compileClusters } from '../engine/clustering/generation.ts';
import { compileProfiles, type ProfileRules } from '../engine/profiles/resolve.ts';
import { compileReasonCodes } from '../engine/reason-codes.ts';

export type InterventionRules = ReturnType<typeof compileInterventions>;

const compiled = new WeakMap<RuleBundle, InterventionRules>();

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export function interventionRules(bundle: RuleBundle): InterventionRules {
  const known = compiled.get(bundle) ?? orUnavailable(() => compileInterventions(bundle));
  compiled.set(bundle, known);
  return known;
}

/** The same of what resolves profiles: rules of plans and groups that are missing stop no run. */
export const profilesInForce = (bundle: RuleBundle): ProfileRules => orUnavailable(() => profileRules(bundle));

function orUnavailable<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (error instanceof BundleError) throw unavailable('A rule document of interventions is missing.');
    throw error;
  }
}

/** Throws BundleError when a document is missing, RangeError when one says words that are not known. */
export function compileInterventions(bundle: RuleBundle) {
  const { recommendation, settings } = recommendationRules(bundle);
  return {
    versions: bundle.versions,
    settings,
    codes: compileReasonCodes(bundle),
    profiles: profileRules(bundle),
    recommendation,
    why: compileWhy(bundle, recommendation),
    clusters: compileClusters(bundle),
    steps: compileSteps(bundle),
    track: compileTrack(bundle),
    fidelity: compileFidelity(bundle),
  };
}

const profilesOf = new WeakMap<RuleBundle, ProfileRules>();

/** The part of a bundle that resolves profiles: it may hold nothing else. Throws BundleError when a document is missing. */
export function profileRules(bundle: RuleBundle): ProfileRules {
  const known = profilesOf.get(bundle) ?? compileProfiles(bundle);
  profilesOf.set(bundle, known);
  return known;
}

interface RecommendationPart {
  readonly recommendation: RecommendationRules;
  readonly settings: BundleSettings;
}

const recommendationsOf = new WeakMap<RuleBundle, RecommendationPart>();

/** Likewise the part that recommends. */
export function recommendationRules(bundle: RuleBundle): RecommendationPart {
  const known = recommendationsOf.get(bundle) ?? {
    recommendation: compileRecommendation(bundle),
    settings: bundleSettings(bundle),
  };
  recommendationsOf.set(bundle, known);
  return known;
}

/** The versions of some documents, as rows are stamped with them. */
export const versionsOf = (bundle: Pick<RuleBundle, 'versions'>, documents: readonly string[]) =>
  Object.fromEntries(documents.map((name) => [name, bundle.versions[name as keyof RuleBundle['versions']] ?? 0]));
