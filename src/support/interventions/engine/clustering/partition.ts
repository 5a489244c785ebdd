// Assigns each student of a class to one of three buckets (CLP), and computes the key of those who can be grouped (CLM).

import type { NextDataAction } from '#assessment/skill-status/engine/index.ts';
import { firstHit, type RuleBundle } from '#rules/rulesets/engine/index.ts';
import { listedFacts } from '../typed-facts.ts';
import {
  type DeliveryMode,
  isTeacherLed,
  type ProfileCode,
  type ScaffoldTier,
  type Sufficiency,
} from '../vocabulary.ts';
import { type ClusterFields, clusterKeyOf } from './key.ts';

/** A student with an open enrollment in the class, with the present recommendation. */
export interface ClassMember {
  readonly studentId: number;
  readonly acuteOpen: boolean;
  readonly dndy: boolean;
  readonly profileCode: ProfileCode;
  /** Null without a recommendation; then tier and mode are null too. */
  readonly recommended_bundle_id: string | null;
  readonly anchor_skill_group: string;
  readonly scaffold_tier: ScaffoldTier | null;
  readonly compatible_delivery_mode: DeliveryMode | 'none' | null;
  readonly dataSufficiency: Sufficiency;
  readonly nextRecommendedDataAction: NextDataAction | null;
  /** bundle_id of each open assignment. */
  readonly openBundles: readonly string[];
  /** Over the anchor's skill group, 0 to 1; null without a response. */
  readonly independentRate: number | null;
}

export const exclusionReasons = [
  'acute_regression_open',
  'do_not_decide_yet',
  'data_incomplete',
  'no_recommendation',
] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

export type Placement =
  | { readonly bucket: 'individualReview' | 'moreDataNeeded'; readonly reasonCode: ExclusionReason }
  | { readonly bucket: 'clusterable'; readonly fields: ClusterFields; readonly clusterKey: string };

export const bucketFacts = listedFacts({
  acuteOpen: 'flag',
  dndy: 'flag',
  dataIncomplete: 'flag',
  recommendedNull: 'flag',
});
export const keyTierFacts = listedFacts({ teacherLed: 'flag', scaffoldTier: 'word' });

/** The facts are in the order of the table. */
export const bucketQuestion = ({ acuteOpen, dndy, profileCode, recommended_bundle_id }: ClassMember) => ({
  acuteOpen,
  dndy,
  dataIncomplete: profileCode === 'DATA_INCOMPLETE',
  recommendedNull: recommended_bundle_id === null,
});

export const keyTierQuestion = (mode: string, scaffoldTier: string) => ({
  teacherLed: isTeacherLed(mode),
  scaffoldTier,
});

const buckets = ['individualReview', 'moreDataNeeded', 'clusterable'] as const;

/** Throws BundleError when a document is missing, RangeError when one has an unknown value. */
export function compilePartition(bundle: RuleBundle): (member: ClassMember) => Placement {
  const bucketOf = firstHit(bundle.table('cluster/smart-cluster'), bucketFacts, (answer) => {
    const bucket = answer.word('outcome', buckets);
    const reasonCode = answer.word('reasonCode', [...exclusionReasons, 'none']);
    if ((bucket === 'clusterable') !== (reasonCode === 'none')) {
      throw new RangeError(`cluster/smart-cluster ${answer.ruleId}: ${bucket} with reason ${reasonCode}`);
    }
    return { bucket, reasonCode } as
      | { bucket: 'moreDataNeeded'; reasonCode: ExclusionReason }
      | { bucket: 'clusterable' };
  });
  const tierOf = firstHit(bundle.table('cluster/key-tier'), keyTierFacts, (answer) =>
    answer.word('outcome', ['Level_1_2', 'same'] as const),
  );

  return (member) => {
    const { recommended_bundle_id, scaffold_tier, compatible_delivery_mode: mode } = member;
    const answer = bucketOf(bucketQuestion(member));
    if (answer.bucket !== 'clusterable') return answer;
    if (recommended_bundle_id === null || scaffold_tier === null || mode === null) {
      throw new RangeError(`student ${member.studentId} is grouped without a recommendation`);
    }
    const merged = tierOf(keyTierQuestion(mode, scaffold_tier));
    const fields: ClusterFields = {
      bundle_id: recommended_bundle_id,
      anchor_skill_group: member.anchor_skill_group,
      scaffold_tier: merged === 'same' ? scaffold_tier : merged,
      compatible_delivery_mode: mode,
      sufficient_data: member.dataSufficiency === 'sufficient',
    };
    return { bucket: 'clusterable', fields, clusterKey: clusterKeyOf(fields) };
  };
}
