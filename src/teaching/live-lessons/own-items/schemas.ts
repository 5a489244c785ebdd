// Request and response schemas of runs of own items.
import Type from 'typebox';
import { Cuid, IntegerId, named, object } from '#core/http/schemas.ts';
import { BlueprintItem } from '../../lesson-blueprints/index.ts';
import { ItemRef } from '../lessons/schemas.ts';

export const OwnRunBody = named(
  'IsmRunBody',
  object({
    studentId: IntegerId,
    itemRefs: Type.Optional(Type.Array(ItemRef, { minItems: 1, maxItems: 40, uniqueItems: true })),
  }),
);

export const OwnRunStarted = named(
  'IsmRun',
  object({
    ismRunId: Cuid,
    studentId: IntegerId,
    state: Type.Literal('running'),
    /** Items with keys. */
    items: Type.Array(BlueprintItem),
  }),
);

export const NothingOwnLeft = named(
  'IsmRunWithoutItems',
  object({ outcome: Type.Literal('no_eligible_item'), served: Type.Null() }),
);
