// Exports and imports whole bundles as one file.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { Cuid, named, nullable, object, oneOf } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { AnyDocument, FamilyName, GoldenCaseView, KeyName, mostCases, Sha256, VersionNumber } from '../schemas.ts';
import { bundleFormat, exportBundle } from './export.ts';
import { importBundle, importCheck } from './import.ts';

const BundleFile = named(
  'BundleFile',
  object({
    format: Type.Literal(bundleFormat),
    bundleId: Cuid,
    /** The address of the service that has exported the file. */
    service: Type.Optional(Type.String({ minLength: 1, maxLength: 300, pattern: '^[!-~]+$' })),
    documents: Type.Array(
      object({
        family: FamilyName,
        key: KeyName,
        version: VersionNumber,
        sha256: Sha256,
        goldenSha256: nullable(Sha256),
        document: AnyDocument,
        cases: Type.Array(GoldenCaseView, { maxItems: mostCases }),
      }),
      { minItems: 1, maxItems: 500 },
    ),
  }),
);

const ImportAnswer = object({
  results: Type.Array(
    object({
      family: FamilyName,
      key: KeyName,
      /** Its number here: that of the version that says the same, or the one that it would get. */
      version: VersionNumber,
      result: oneOf(['present', 'in_review']),
      changeId: nullable(Cuid),
    }),
  ),
});

const importLimitBytes = 5 * 1024 * 1024;
const tag = 'rules workbench';

export const transferRoutes = [
  route({
    method: 'get',
    path: '/api/admin/rule-sets/export',
    operation: 'exportRuleSets',
    heavy: true,
    summary: 'The bundle in force, or an earlier one, as one file with all hashes',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: object({ bundleId: Type.Optional(Cuid) }),
    answers: { 200: BundleFile },
    errors: ['NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, query, now }) => ok(await exportBundle(services, trx, query.bundleId, now)),
  }),
  route({
    method: 'post',
    path: '/api/admin/rule-sets/import',
    operation: 'importRuleSets',
    heavy: true,
    summary: 'Take in a file: what is new waits for approval as one change, and all is taken in or nothing',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: platformData,
    demo: 'blocked',
    body: BundleFile,
    bodyLimitBytes: importLimitBytes,
    answers: { 200: ImportAnswer },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ services, trx, body, now }) => importCheck(services, trx, body, now),
    run: async ({ services, trx, body, actor, prepared, now }) =>
      ok(await importBundle(services, trx, body, prepared, actor.userId, now)),
  }),
];
