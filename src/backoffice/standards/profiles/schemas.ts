// Request and response schemas of benchmark profiles.
import Type from 'typebox';
import { measureCodes } from '#assessment/measurement/index.ts';
import { Cuid, IntegerId, named, nullable, object, oneOf, page, pageQuery, Timestamp } from '#core/http/schemas.ts';
import { Country } from '#identity/people/index.ts';
import { seasons } from '#rules/catalogue/index.ts';
import { profileActions, profileStatuses } from '../enums.ts';

const Version = Type.Integer({ minimum: 1 });
const Key = named('BenchmarkKey', Type.String({ maxLength: 80, pattern: '^[a-z0-9][a-z0-9-]{0,79}$' }));
const Rate = Type.Number({ minimum: 0 });
const Cuts = named('BenchmarkCuts', object({ meets: Rate, approaching: Rate, below: Rate }));
const Source = Type.String({ minLength: 1, maxLength: 1_000, pattern: '\\S' });
/** Text in Arabic script, without digits. */
const TitleAr = Type.String({ maxLength: 120, pattern: '^[\\u0621-\\u064A][\\u0621-\\u065F\\u0670 :،؛.()-]*$' });

const cell = {
  country: nullable(Country),
  grade: Type.Integer({ minimum: 1, maximum: 4 }),
  measureCode: oneOf(measureCodes),
  season: nullable(oneOf(seasons)),
};
const expectation = { cuts: nullable(Cuts), source: Source };

export const ProfileCreateBody = object({ ...cell, ...expectation, titleAr: TitleAr });
export const ProfileUpdateBody = Type.Partial(object({ ...expectation, titleAr: TitleAr }), {
  additionalProperties: false,
  minProperties: 1,
});

export const profile = {
  key: Key,
  version: Version,
  ...cell,
  cuts: nullable(Cuts),
  source: Type.String(),
  status: oneOf(profileStatuses),
};

export const BenchmarkProfileView = named(
  'BenchmarkVersion',
  object({
    ...profile,
    id: Cuid,
    titleAr: Type.String(),
    /** Null for a profile that came with a release. */
    createdBy: nullable(IntegerId),
    createdAt: Timestamp,
    publishedAt: nullable(Timestamp),
    activatedAt: nullable(Timestamp),
    retiredAt: nullable(Timestamp),
  }),
);
export const ProfilePage = page(BenchmarkProfileView);
export const ProfileListQuery = object({
  ...pageQuery,
  key: Type.Optional(Key),
  status: Type.Optional(oneOf(profileStatuses)),
});

export const AuditPage = page(
  named(
    'BenchmarkAuditEntry',
    object({
      at: Timestamp,
      /** Null for an activation by a release. */
      actorUserId: nullable(IntegerId),
      action: oneOf(profileActions),
      fromVersion: nullable(Version),
      toVersion: nullable(Version),
    }),
  ),
);
export const ProfileAuditQuery = object(pageQuery);
