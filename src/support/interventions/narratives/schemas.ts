// Request and response schemas of narratives.
import Type, { type Static } from 'typebox';
import { Cuid, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { audiences, narratedProfiles, narrativeStates, narrativeWindows } from './enums.ts';

/** The limits equal those of `profile/narratives`. */
const Title = named('NarrativeTitle', Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }));
const Body = named('NarrativeBody', Type.String({ minLength: 1, maxLength: 400, pattern: '\\S' }));

const SuggestionBody = named(
  'Suggestion',
  object({
    suggestionCode: Type.String({ maxLength: 16, pattern: '^[A-Z0-9][A-Z0-9-]{1,15}$' }),
    titleAr: Title,
    bodyAr: Body,
  }),
);

const slot = { profileCode: oneOf(narratedProfiles), window: oneOf(narrativeWindows) };
const TeacherBody = named(
  'NewTeacherNarrative',
  object({ ...slot, audience: Type.Literal('teacher'), titleAr: Title, bodyAr: Body }),
);
const ParentBody = named(
  'NewParentNarrative',
  object({
    ...slot,
    audience: Type.Literal('parent'),
    suggestions: Type.Array(SuggestionBody, { minItems: 1, maxItems: 5 }),
  }),
);

const bodies = [TeacherBody, ParentBody] as const;

/** A union discriminated by `audience`, so that a refusal names the fields of that audience only. */
export const NarrativeBody = named(
  'NewNarrative',
  Type.Unsafe<Static<(typeof bodies)[number]>>({
    type: 'object',
    required: ['audience'],
    discriminator: { propertyName: 'audience' },
    oneOf: [...bodies],
  }),
);
export type NewNarrative = Static<typeof NarrativeBody>;

/** The codes are those of `rti/reason-codes`. */
export const RejectBody = object({ reasonCode: Type.String({ minLength: 1, maxLength: 64 }) });

const pending = {
  id: Cuid,
  profileCode: oneOf(narratedProfiles),
  audience: oneOf(audiences),
  window: oneOf(narrativeWindows),
  version: Type.Integer({ minimum: 1 }),
  titleAr: nullable(Type.String()),
  bodyAr: nullable(Type.String()),
  suggestions: nullable(Type.Array(SuggestionBody)),
  /** Null for a text of a release. */
  authorUserId: nullable(IntegerId),
  createdAt: Timestamp,
};
export const PendingPage = named('PendingNarratives', page(named('PendingNarrative', object(pending))));

export const NarrativeView = named(
  'Narrative',
  object({
    ...pending,
    state: oneOf(narrativeStates),
    reviewerUserId: nullable(IntegerId),
    decidedAt: nullable(Timestamp),
    rejectReasonCode: nullable(Type.String()),
  }),
);

export const PendingQuery = object(pageQuery);
