// Reads the reviews and gates of `rti/decision-packet`.

import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import {
  type ProfileCode,
  profileCodes,
  type SufficiencyReason,
  type SupportTier,
  sufficiencyReasons,
  supportTiers,
} from '../../../interventions/engine/index.ts';
import {
  type ReviewType,
  type RtiAlertKind,
  reviewTypes,
  rtiAlertKinds,
  type TierDecision,
  tierDecisions,
} from '../vocabulary.ts';

const gateChecks = [
  'under_review',
  'decision_allowed',
  'specialist',
  'other_person',
  'not_halted',
  'tier_unchanged',
  'evidence_unchanged',
  'delivered',
  'sufficient',
  'reasoned',
] as const;
export type GateCheck = (typeof gateChecks)[number];

export interface Gate {
  readonly gateId: string;
  readonly check: GateCheck;
  /** Whether the gate applies to a deferral too. */
  readonly ofDefer: boolean;
  readonly ar: string;
  readonly en: string;
}

export interface Review {
  readonly code: ReviewType;
  readonly ar: string;
  readonly en: string;
  /** The tiers at which it may be opened. */
  readonly tiers: readonly SupportTier[];
  /** The alert that must be open; null when none must. */
  readonly alert: RtiAlertKind | null;
  /** Opened for active circumstances, or for one of these profiles. */
  readonly contextual: boolean;
  readonly profiles: readonly ProfileCode[];
  readonly decisions: readonly { readonly decision: TierDecision; readonly tiers: readonly SupportTier[] }[];
  /** Reasons of insufficient data that do not block a decision of this review. */
  readonly ignoredReasons: readonly SufficiencyReason[];
  /** Tiers at which support may be increased although nothing was planned yet. */
  readonly tiersWithoutDelivery: readonly SupportTier[];
}

export interface PacketRules {
  /** In the order of the document. */
  readonly reviews: readonly Review[];
  readonly byType: ReadonlyMap<ReviewType, Review>;
  /** In the order of evaluation. */
  readonly gates: readonly Gate[];
}

const name = 'rti/decision-packet';

/** Throws BundleError when the document is missing, RangeError when it has an unknown value. */
export function compilePackets(bundle: RuleBundle): PacketRules {
  const { reviewTypes: reviews, gates } = bundle.values<{
    readonly reviewTypes: readonly Review[];
    readonly gates: readonly Gate[];
  }>(name);
  refuseOthers(
    'reviewTypes',
    reviews.map(({ code }) => code),
    reviewTypes,
  );
  refuseOthers(
    'gates',
    gates.map(({ check }) => check),
    gateChecks,
  );
  for (const review of reviews) refuseForeign(review);
  return { reviews, byType: new Map(reviews.map((one) => [one.code, one])), gates };
}

/** Each known value must appear exactly once. */
function refuseOthers(section: string, found: readonly string[], known: readonly string[]): void {
  const isSame = found.length === known.length && known.every((word) => found.includes(word));
  if (!isSame) throw new RangeError(`${name}: ${section} are not ${known.join(', ')}`);
}

function refuseForeign({ code, tiers, alert, profiles, decisions, ignoredReasons }: Review): void {
  refuseUnknown(code, tiers, supportTiers);
  refuseUnknown(code, alert === null ? [] : [alert], rtiAlertKinds);
  refuseUnknown(code, profiles, profileCodes);
  refuseUnknown(code, ignoredReasons, sufficiencyReasons);
  refuseUnknown(
    code,
    decisions.map(({ decision }) => decision),
    tierDecisions,
  );
}

function refuseUnknown<T>(review: string, found: readonly T[], known: readonly T[]): void {
  const foreign = found.find((one) => !known.includes(one));
  if (foreign !== undefined) throw new RangeError(`${name}: ${review} names ${String(foreign)}`);
}
