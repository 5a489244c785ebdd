// Lists the courses of a learning platform and maps them to classes.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { defaultLimit, keyInCursor, pageOf } from '#core/http/pages.ts';
import { Cuid, IntegerId, named, nullable, object, oneOf, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import type { Trx } from '#core/platform/db.ts';
import { notFound } from '#core/platform/errors.ts';
import { activeConnection, type LmsConnection } from '../connections/rows.ts';
import type { Provider } from '../enums.ts';
import { ExternalLmsId, providerParams } from '../schemas.ts';
import { organizationForRead, organizationForWrite } from '../scopes.ts';
import { coursesOf } from './cache.ts';
import { saveMappings } from './mappings.ts';
import { mappingsOf, suggestionsFor } from './queries.ts';

const tag = 'lms';

const CourseView = named(
  'LmsCourse',
  object({
    courseExternalId: Type.String(),
    name: Type.String(),
    section: nullable(Type.String()),
    grade: nullable(Type.Integer({ minimum: 1, maximum: 4 })),
    mappedClassId: nullable(IntegerId),
    suggestedClassId: nullable(IntegerId),
  }),
);

const MappingView = named('LmsMapping', object({ courseExternalId: Type.String(), classId: IntegerId }));
const MappingsBody = named(
  'LmsMappingsBody',
  object({
    organizationId: Type.Optional(Cuid),
    mappings: Type.Array(object({ courseExternalId: ExternalLmsId, classId: nullable(IntegerId) }), {
      minItems: 1,
      maxItems: 500,
    }),
  }),
);

/** Throws NOT_FOUND when the provider is not connected. */
async function requireActive(trx: Trx, organizationId: string, provider: Provider): Promise<LmsConnection> {
  const connection = await activeConnection(trx, organizationId, provider);
  if (!connection) throw notFound();
  return connection;
}

export const courseRoutes = [
  route({
    method: 'get',
    path: '/api/lms/:provider/courses',
    operation: 'listLmsCourses',
    summary: 'Active courses of the connected platform, with the class that each is or may be',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: ownOrganization,
    demo: 'read',
    params: providerParams,
    query: object({ ...pageQuery, organizationId: Type.Optional(Cuid), cache: Type.Optional(oneOf(['bypass'])) }),
    answers: { 200: page(CourseView) },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ trx, actor, params, query, services }) => {
      keyInCursor(query.cursor, ['string']);
      const organizationId = await organizationForRead({ trx, actor }, query.organizationId);
      const connection = await requireActive(trx, organizationId, params.provider);
      return () => coursesOf(services, connection, { bypass: query.cache === 'bypass' });
    },
    run: async ({ trx, actor, params, query, prepared }) => {
      const { limit = defaultLimit, cursor } = query;
      const organizationId = await organizationForRead({ trx, actor }, query.organizationId);
      const after = String(keyInCursor(cursor, ['string'])?.[0] ?? '');
      const shown = prepared.filter(({ courseExternalId }) => courseExternalId > after).slice(0, limit + 1);
      const mappings = await mappingsOf(trx, { organizationId, provider: params.provider });
      const mapped = new Map(mappings.map(({ courseExternalId, classId }) => [courseExternalId, classId]));
      const suggested = await suggestionsFor(trx, organizationId, shown);
      return ok(
        pageOf(
          shown,
          limit,
          ({ courseExternalId }) => [courseExternalId],
          ({ active: _, ...course }) => ({
            ...course,
            mappedClassId: mapped.get(course.courseExternalId) ?? null,
            suggestedClassId: suggested.get(course.courseExternalId) ?? null,
          }),
        ),
      );
    },
  }),
  route({
    method: 'post',
    path: '/api/lms/:provider/mappings',
    operation: 'saveLmsMappings',
    summary: 'Say which course is which class; null takes a course off its class',
    tag,
    allow: ['MANAGE_ROSTER'],
    scope: ownOrganization,
    demo: 'blocked',
    params: providerParams,
    body: MappingsBody,
    answers: { 200: object({ mappings: Type.Array(MappingView) }) },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ trx, actor, params, body, services }) => {
      const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
      const connection = await requireActive(trx, organizationId, params.provider);
      return () => coursesOf(services, connection, { bypass: false });
    },
    run: async ({ trx, actor, params, body, prepared, now }) => {
      const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
      await requireActive(trx, organizationId, params.provider);
      const courseIds = new Set(prepared.map(({ courseExternalId }) => courseExternalId));
      const saving = { organizationId, provider: params.provider, courseIds, now };
      return ok({ mappings: await saveMappings(trx, saving, body.mappings) });
    },
  }),
];
