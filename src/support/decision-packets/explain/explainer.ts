// What the workbench asks when somebody wants to know why a packet recommended what it did: the recommendation that was frozen in
// it, made again from what was pinned, and the evidence that it was decided on.
import { isId } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { type Explainer, nearestChange } from '#rules/rulesets/index.ts';
import { adviceAgain, adviceDecisions, tierFactSorts } from '../../rti/index.ts';
import { evidenceHash } from '../evidence/collect.ts';
import { DecisionPacket } from '../rows/store.ts';
import { ExplainedPacket } from './schemas.ts';

/** `packet:<id>`. */
export const packetExplainer: Explainer = {
  kinds: ['packet'],
  view: ExplainedPacket,
  /** Undefined for a malformed id, a row out of sight, and a packet in which nothing was frozen. Today's rules play no part. */
  async explain(reading, services, _kind, id): Promise<ExplainedPacket | undefined> {
    if (!isId(id)) return undefined;
    const row = await reading(async (trx) => DecisionPacket.query(trx).modify(inAnyOrganization).findOne({ id }));
    if (!row?.recommendation || !row.facts || row.assembledAt === null || row.evidenceHash === null) return undefined;
    const { facts, recommendation, evidence } = row;
    const { ruleVersions } = recommendation;
    const { bundle, advice, isSame } = await adviceAgain(services, { facts, recommendation, ruleVersions });
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
      nearestChange: nearestChange(decisions[0], tierFactSorts),
      from: evidence,
    };
  },
};
