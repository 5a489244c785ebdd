// Request and response schemas of practice.
import Type from 'typebox';
import { Count, Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { ServedItemView } from '../diagnostics/schemas.ts';
import { queueStatuses } from '../enums.ts';

export const seedParams = object({ diagnosticSessionId: Cuid });

export const QueueView = named(
  'Queue',
  object({
    queueId: Cuid,
    status: oneOf(queueStatuses),
    answered: Count,
    itemBudget: Type.Integer({ minimum: 1 }),
  }),
);

export const CurrentQueue = named('CurrentQueue', object({ queue: nullable(QueueView) }));

export const NextPracticeItem = named(
  'NextPracticeItem',
  object({
    outcome: oneOf(['item_served', 'no_eligible_item', 'queue_complete']),
    served: nullable(ServedItemView),
    support: nullable(object({ kind: Type.Literal('hint'), textAr: Type.String() })),
  }),
);

export const PracticeFeedback = named(
  'PracticeFeedback',
  object({
    accepted: Type.Literal(true),
    feedbackCode: oneOf(['well_done', 'keep_going']),
    remaining: Count,
  }),
);
