// Schemas of the data room.
import Type from 'typebox';
import { trendTypes } from '#assessment/measurement/index.ts';
import {
  CalendarDate,
  Count,
  Cuid,
  IntegerId,
  mapOf,
  named,
  nullable,
  object,
  oneOf,
  Timestamp,
} from '#core/http/schemas.ts';
import { FidelityTracker } from '../../fidelity/index.ts';
import { profileCodes, profileModifiers, profileOutcomes } from '../../interventions/index.ts';
import { AdviceView, AlertView, packetStatuses, reviewTypes, SupportTierSchema } from '../../rti/index.ts';

const { pooled, assignments } = FidelityTracker.properties;

export const DataRoomView = named(
  'DataRoom',
  object({
    studentId: IntegerId,
    asOf: Timestamp,
    profile: object({
      outcome: oneOf(profileOutcomes),
      profileCode: oneOf(profileCodes),
      modifiers: Type.Array(oneOf(profileModifiers)),
    }),
    tier: SupportTierSchema,
    tierSince: CalendarDate,
    weeksInTier: Count,
    openAlert: nullable(AlertView),
    recommendation: AdviceView,
    fidelity: pooled,
    trends: Type.Array(object({ measure: Type.String(), trendType: oneOf(trendTypes), points: Count })),
    assignments,
    openPackets: Type.Array(object({ packetId: Cuid, reviewType: oneOf(reviewTypes), status: oneOf(packetStatuses) })),
    evidenceCounts: mapOf('^[a-z_]+$', Type.Integer({ minimum: 1 })),
    voidedEvidence: Count,
    phases: Type.Array(
      object({
        from: CalendarDate,
        to: nullable(CalendarDate),
        tier: SupportTierSchema,
        bundle_id: nullable(Type.String()),
      }),
    ),
  }),
);
