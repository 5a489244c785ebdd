// Explains a decision about a tier: its frozen recommendation, replayed, and the profile of that time.

import Type, { type Static } from 'typebox';
import { named, nullable, object } from '#core/http/schemas.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { isId } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { type Explainer, explainedFrame } from '#rules/rulesets/index.ts';
import { ExplainedProfile, explainProfile } from '../../../interventions/index.ts';
import { factCategories } from '../../engine/fact-categories.ts';
import { type FrozenAdvice, replayAdvice } from '../../recommendation/replay.ts';
import { FrozenAdviceView } from '../../recommendation/schemas.ts';
import { adviceDecisions } from '../../recommendation/trace.ts';
import { RtiDecision } from '../../rows/decisions.ts';
import { presentDecision } from '../present.ts';
import { TierDecisionView } from '../schemas.ts';

export const ExplainedDecision = named(
  'ExplainedRtiDecision',
  object({
    kind: Type.Literal('decision'),
    ...explainedFrame,
    result: TierDecisionView,
    recommendation: FrozenAdviceView,
    /** Down to the responses; null for a student who was never measured. */
    profile: nullable(ExplainedProfile),
  }),
);
export type ExplainedDecision = Static<typeof ExplainedDecision>;

/** Kind `decision:<id>`. */
export const decisionExplainer: Explainer = {
  kinds: ['decision'],
  view: ExplainedDecision,
  explain: async (reading, services, _kind, id) => (isId(id) ? explainDecision(reading, services, id) : undefined),
};

/** Returns undefined for a row that the caller cannot see. */
export async function explainDecision(
  reading: ReadTransaction,
  services: Services,
  id: string,
): Promise<ExplainedDecision | undefined> {
  const row = await reading(async (trx) => RtiDecision.query(trx).modify(inAnyOrganization).where({ id }).first());
  if (!row) return undefined;
  const frozen = frozenIn(row);
  const { bundle, advice, isSame } = await replayAdvice(services, frozen);
  const decisions = adviceDecisions(bundle, frozen.facts, advice);
  const { profileId } = frozen.facts;
  const profile = profileId === null ? undefined : await explainProfile(reading, services, profileId);
  return {
    stampId: `decision:${id}`,
    kind: 'decision',
    ...{ organizationId: row.organizationId, studentId: row.studentId },
    ...{ asOf: row.committedAt, ruleVersions: { ...row.ruleVersions } },
    result: presentDecision(row),
    recommendation: row.recommendation as ExplainedDecision['recommendation'],
    decisions,
    matchesStored: isSame,
    ...reasonOf(await sentencesInForce(reading, services), 'RTI', decisions, factCategories),
    profile: profile ?? null,
  };
}

/** The stored JSON was written from these types. */
const frozenIn = ({ facts, recommendation, ruleVersions }: RtiDecision) =>
  ({ facts, recommendation, ruleVersions }) as unknown as FrozenAdvice;
