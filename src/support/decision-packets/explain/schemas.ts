// Schemas of an explained packet.
import Type, { type Static } from 'typebox';
import { named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { explainedFrame, listOf } from '#rules/rulesets/index.ts';
import { FrozenAdviceView, packetStatuses, reviewTypes, SupportTierSchema, tierDecisions } from '../../rti/index.ts';
import { EvidenceView } from '../evidence/schemas.ts';

export const ExplainedPacket = named(
  'ExplainedPacket',
  object({
    kind: Type.Literal('packet'),
    ...explainedFrame,
    result: object({
      reviewType: oneOf(reviewTypes),
      status: oneOf(packetStatuses),
      decision: nullable(oneOf(tierDecisions)),
      toTier: nullable(SupportTierSchema),
      recommendation: FrozenAdviceView,
      evidenceHash: Type.String(),
    }),
    /** The evidence of the packet. */
    from: listOf(EvidenceView),
  }),
);
export type ExplainedPacket = Static<typeof ExplainedPacket>;
