// Schemas of evidence.
import Type from 'typebox';
import {
  CalendarDate,
  IntegerId,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { evidenceTypes } from './types.ts';

export const EvidenceView = named(
  'EvidenceItem',
  object({
    evidenceId: Type.String(),
    type: oneOf(evidenceTypes),
    refId: Type.String(),
    occurredAt: Timestamp,
    subSkillCode: nullable(Type.String()),
    domainCode: nullable(Type.String()),
    measure: nullable(Type.String()),
    valueCode: Type.String({
      description:
        'The word that the evidence says: a status, a state, a kind. Of a cbm_probe its part in the series (baseline, monitoring, outside_window: too old for the trend, not_comparable), of a cbm_trend its type.',
    }),
    ruleVersion: nullable(Type.String()),
    voidId: nullable(IntegerId),
  }),
);

export const EvidenceList = named('EvidenceList', page(EvidenceView));

/** Dates are local dates of the student's school, both inclusive. */
export const EvidenceQuery = object({
  ...pageQuery,
  type: Type.Optional(oneOf(evidenceTypes)),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  subSkillCode: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
