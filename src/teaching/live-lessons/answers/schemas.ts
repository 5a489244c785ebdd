// Schemas of answers in live sessions.
import Type from 'typebox';
import { Count, named, object, Uuid } from '#core/http/schemas.ts';
import { ItemRef } from '../sessions/schemas.ts';

/** Which options there are says the item. */
export const OptionChoice = Type.Integer({ minimum: 0, maximum: 99 });

const LiveResponse = object({
  clientResponseId: Uuid,
  itemRef: ItemRef,
  selectedOptionIndex: OptionChoice,
  supportUsed: Type.Optional(Type.Boolean()),
});

export const LiveResponsesBody = named(
  'LiveResponsesBody',
  object({ responses: Type.Array(LiveResponse, { minItems: 1, maxItems: 40 }) }),
);

/** Of a batch that may arrive twice. */
export const LiveBatchTaken = named('LiveBatchTaken', object({ accepted: Count, duplicates: Count }));
