// Request and response schemas of the public teaser.
import Type from 'typebox';
import { Count, Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { itemTypes } from '../content/index.ts';

const Source = named('Source', Type.String({ maxLength: 40, pattern: '^[a-z0-9_-]{1,40}$' }));
const Token = named('Token', Type.String({ minLength: 1, maxLength: 256 }));

export const StartTeaserBody = named(
  'StartTeaserBody',
  object({
    grade: Type.Integer({ minimum: 1, maximum: 4 }),
    source: Type.Optional(Source),
  }),
);

export const TeaserStarted = named(
  'TeaserStarted',
  object({
    token: Type.String(),
    sessionId: Cuid,
    subSkillId: Type.String(),
    items: Type.Array(
      object({
        id: Type.String(),
        itemType: named('ItemType', oneOf(itemTypes)),
        prompt: object({
          text: Type.String(),
          speech: Type.String(),
          audioUrl: nullable(Type.String()),
          passage: nullable(Type.String()),
        }),
        options: Type.Array(
          object({
            index: Type.Integer(),
            text: Type.String(),
            speech: nullable(Type.String()),
            audioUrl: nullable(Type.String()),
          }),
        ),
      }),
    ),
  }),
);

export const FinishTeaserBody = named(
  'FinishTeaserBody',
  object({
    token: Token,
    responses: Type.Array(
      object({ itemId: Type.String({ minLength: 1, maxLength: 64 }), selectedOptionIndex: Type.Integer() }),
      // More answers than items are repeats or unknown; the number of items is a rule constant.
      { minItems: 1, maxItems: 100 },
    ),
  }),
);

export const TeaserFinished = named(
  'TeaserFinished',
  object({
    band: oneOf(['meets', 'approaching', 'below', 'severe']),
    bandLabelAr: Type.String(),
    bandDescriptionAr: Type.String(),
    disclaimerAr: Type.String(),
  }),
);

export const EraseLeadsBody = named(
  'EraseLeadsBody',
  object({
    email: Type.Optional(Type.String({ maxLength: 1_000 })),
    whatsapp: Type.Optional(Type.String({ maxLength: 64 })),
  }),
);

export const LeadsErased = named('LeadsErased', object({ erased: Count }));

/** `saveLead` validates the address and the number. */
export const LeadBody = named(
  'LeadBody',
  object({
    sessionId: Type.String({ minLength: 1, maxLength: 64 }),
    token: Token,
    email: Type.Optional(Type.String({ maxLength: 1_000 })),
    whatsapp: Type.Optional(Type.String({ maxLength: 64 })),
    source: Type.Optional(Source),
  }),
);

/** A response without a body. */
export const NoBody = named('NoBody', Type.Unsafe<undefined>({ not: {} }));
