// Request and response schemas of answers in live lessons.
import Type from 'typebox';
import { Count, named, object, Uuid } from '#core/http/schemas.ts';
import { ItemRef } from '../lessons/schemas.ts';

/** The item defines the valid indexes. */
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

/** The result of a batch, which may be sent again. */
export const LiveBatchTaken = named('LiveBatchTaken', object({ accepted: Count, duplicates: Count }));
