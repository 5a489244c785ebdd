// Request and response schemas of voids.
import Type from 'typebox';
import {
  IntegerId,
  IntegerIdText,
  named,
  nullable,
  object,
  oneOf,
  page,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';
import { evidenceKinds, voidReasons } from '../enums.ts';

export const VoidBody = named('VoidBody', object({ reasonCode: oneOf(voidReasons) }));

export const EvidenceVoidView = named(
  'EvidenceVoid',
  object({
    voidId: IntegerId,
    studentId: IntegerId,
    kind: oneOf(evidenceKinds),
    refId: Type.String({
      description:
        'The reading, session or queue, or the number of a probe from paper. A probe of a reading is voided with the reading.',
    }),
    reasonCode: oneOf(voidReasons),
    at: Timestamp,
    byUserId: IntegerId,
    restoredAt: nullable(Timestamp),
    restoredByUserId: nullable(IntegerId),
  }),
);

export const EvidenceVoidList = named('EvidenceVoidList', page(EvidenceVoidView));

export const voidParams = object({ voidId: IntegerIdText });
export const VoidQuery = object(pageQuery);
