// The rules of interventions, compiled once for each rule bundle.
import { oncePerBundle, perBundle, type RuleBundle } from '#rules/rulesets/index.ts';
import { compileFidelity } from '../engine/assignments/delivered.ts';
import { compileSteps } from '../engine/assignments/steps.ts';
import { compileTrack } from '../engine/assignments/track.ts';
import { compileRecommendation, type RecommendationRules } from '../engine/bundles/recommend.ts';
import { type BundleSettings, bundleSettings } from '../engine/bundles/settings.ts';
import { compileWhy } from '../engine/bundles/why.ts';
import { compileClusters } from '../engine/clustering/generation.ts';
import { compileProfiles } from '../engine/profiles/resolve.ts';
import { compileReasonCodes } from '../engine/reason-codes.ts';

export type InterventionRules = ReturnType<typeof compileInterventions>;

const missing = 'A rule document of interventions is missing.';

/** Throws ENGINE_UNAVAILABLE when a document is missing. */
export const interventionRules = perBundle(compileInterventions, missing);

/** The rules that resolve profiles; the bundle may hold nothing else. Throws BundleError when a document is missing. */
export const profileRules = oncePerBundle(compileProfiles);

/** Like `profileRules`, but throws ENGINE_UNAVAILABLE. Missing rules of assignments and groups do not stop a run. */
export const profilesInForce = perBundle(profileRules, missing);

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compileInterventions(bundle: RuleBundle) {
  const { recommendation, settings } = recommendationRules(bundle);
  const profiles = profileRules(bundle);
  return {
    versions: bundle.versions,
    settings,
    codes: compileReasonCodes(bundle),
    profiles,
    recommendation,
    why: compileWhy(bundle, { catalogue: recommendation.catalogue, profiles }),
    clusters: compileClusters(bundle),
    steps: compileSteps(bundle),
    track: compileTrack(bundle),
    fidelity: compileFidelity(bundle),
  };
}

interface RecommendationPart {
  readonly recommendation: RecommendationRules;
  readonly settings: BundleSettings;
}

/** The rules that recommend. Throws BundleError when a document is missing. */
export const recommendationRules = oncePerBundle(
  (bundle): RecommendationPart => ({
    recommendation: compileRecommendation(bundle),
    settings: bundleSettings(bundle),
  }),
);

/** The versions of the given documents, for the stamp of a row. */
export const versionsOf = (bundle: Pick<RuleBundle, 'versions'>, documents: readonly string[]) =>
  Object.fromEntries(documents.map((name) => [name, bundle.versions[name as keyof RuleBundle['versions']] ?? 0]));
