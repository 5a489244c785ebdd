// Explains a packet for the workbench: its frozen recommendation, replayed from the pinned input, and the evidence.

import { isId } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import type { Explainer } from '#rules/rulesets/index.ts';
import { adviceDecisions, replayAdvice, tierFactSorts } from '../../rti/index.ts';
import { evidenceHash } from '../evidence/collect.ts';
import { DecisionPacket } from '../rows/store.ts';
import { ExplainedPacket } from './schemas.ts';

/** Kind `packet:<id>`. */
export const packetExplainer: Explainer = {
  kinds: ['packet'],
  view: ExplainedPacket,
  /**
   * Returns undefined for a malformed id, a row that the caller cannot see, and a packet without a frozen recommendation.
   * Uses the pinned rules only.
   */
  async explain(reading, services, _kind, id): Promise<ExplainedPacket | undefined> {
    if (!isId(id)) return undefined;
    const row = await reading(async (trx) => DecisionPacket.query(trx).modify(inAnyOrganization).findOne({ id }));
    if (!row?.recommendation || !row.facts || row.assembledAt === null || row.evidenceHash === null) return undefined;
    const { facts, recommendation, evidence } = row;
    const { ruleVersions } = recommendation;
    const { bundle, advice, isSame } = await replayAdvice(services, { facts, recommendation, ruleVersions });
    const decisions = adviceDecisions(bundle, facts, advice);
    return {
      stampId: `packet:${id}`,
      kind: 'packet',
      organizationId: row.organizationId,
      studentId: row.studentId,
      asOf: row.assembledAt,
      ruleVersions,
      result: {
        ...{ reviewType: row.reviewType, status: row.status, decision: row.decision, toTier: row.toTier },
        ...{ recommendation, evidenceHash: row.evidenceHash },
      },
      decisions,
      matchesStored: isSame && evidenceHash(evidence) === row.evidenceHash,
      ...reasonOf(await sentencesInForce(reading, services), 'RTI', decisions, tierFactSorts),
      from: evidence,
    };
  },
};
