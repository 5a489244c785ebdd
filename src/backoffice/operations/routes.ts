// Routes for operators and API users: liveness, readiness, metrics and the description of the API.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import Type from 'typebox';
import { type Answer, ok } from '#core/http/answers.ts';
import { openApiDocument } from '#core/http/description/openapi.ts';
import { requirePermission } from '#core/http/refusals.ts';
import type { Route } from '#core/http/route.ts';
import { named, object, oneOf } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import { notFound, unavailable } from '#core/platform/errors.ts';
import { downIn, type ServingState, servingStates } from './readiness.ts';

const tag = 'operations';
const Text = named('Text', Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'text/plain' }));
const Html = named('Html', Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'text/html' }));
const Asset = named('Asset', Type.Unsafe<Uint8Array>({ type: 'string', contentMediaType: 'application/octet-stream' }));

const bytes = (body: string | Buffer, contentType: string): Answer<200, Uint8Array> => ({
  status: 200,
  body: Buffer.from(body),
  headers: { 'content-type': contentType },
});

const getLiveness = publicRoute({
  method: 'get',
  path: '/healthz',
  operation: 'getLiveness',
  limit: 'none',
  summary: 'The process runs',
  tag,
  demo: 'read',
  answers: { 200: object({ status: Type.Literal('ok') }) },
  run: async () => ok({ status: 'ok' as const }),
});

const getReadiness = publicRoute({
  method: 'get',
  path: '/readyz',
  operation: 'getReadiness',
  limit: 'none',
  summary: 'Database, queue and rules answer; a database that takes no writes is named',
  tag,
  demo: 'read',
  answers: { 200: object({ status: Type.Literal('ready'), checks: Type.Record(Type.String(), oneOf(servingStates)) }) },
  run: async ({ services }) => {
    const checks = await services.readiness();
    const down = downIn(checks);
    if (down.length > 0) throw unavailable(`Not ready: ${down.join(', ')}.`);
    return ok({ status: 'ready' as const, checks: checks as Record<string, ServingState> });
  },
});

const getMetrics = publicRoute({
  method: 'get',
  path: '/metrics',
  operation: 'getMetrics',
  limit: 'none',
  summary: 'Prometheus metrics; from this machine, or with RUN_BACKOFFICE',
  tag,
  demo: 'read',
  answers: { 200: Text },
  errors: ['PERMISSION_DENIED', 'TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'SESSION_REVOKED'],
  run: async ({ services, clientIp, header, now }) => {
    const local = isLoopback(clientIp) && header('x-forwarded-for') === undefined;
    if (!local) {
      const actor = await services.actorOf(header('authorization'), now);
      requirePermission(['RUN_BACKOFFICE'], actor);
    }
    return bytes(await services.metrics.registry.metrics(), services.metrics.registry.contentType);
  },
});

const isLoopback = (address: string) => /^(::ffff:)?127\.|^::1$/.test(address);

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API · Literacy service</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css"></head><body><div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></body></html>`;
const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', docExpansion: 'none', validatorUrl: null });`;
const assetDir = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const assets: Readonly<Record<string, { type: string; read: () => string | Buffer }>> = {
  'start.js': { type: 'text/javascript', read: () => start },
  'swagger-ui.css': { type: 'text/css', read: () => fs.readFileSync(path.join(assetDir, 'swagger-ui.css')) },
  'swagger-ui-bundle.js': {
    type: 'text/javascript',
    read: () => fs.readFileSync(path.join(assetDir, 'swagger-ui-bundle.js')),
  },
};

const getApiDocs = publicRoute({
  method: 'get',
  path: '/api/docs',
  operation: 'getApiDocs',
  summary: 'The API’s description as a page',
  tag,
  demo: 'read',
  answers: { 200: Html },
  run: async () => bytes(page, 'text/html; charset=utf-8'),
});

const getApiDocsFile = publicRoute({
  method: 'get',
  path: '/api/docs/:file',
  operation: 'getApiDocsFile',
  summary: 'Script and style of the description page',
  tag,
  demo: 'read',
  params: object({ file: Type.String({ maxLength: 44, pattern: '^[a-z-]{1,40}\\.(?:js|css)$' }) }),
  answers: { 200: Asset },
  run: async ({ params }) => {
    const asset = Object.hasOwn(assets, params.file) ? assets[params.file] : undefined;
    if (!asset) throw notFound();
    return bytes(asset.read(), `${asset.type}; charset=utf-8`);
  },
});

/** `routes`: all routes that are served, including these, by the time of the first request for the description. */
export function operationsRoutes(routes: readonly Route[]): Route[] {
  let document: object | undefined;
  return [
    ...[getLiveness, getReadiness, getMetrics, getApiDocs, getApiDocsFile],
    publicRoute({
      method: 'get',
      path: '/api/openapi.json',
      operation: 'getOpenApi',
      summary: 'The API’s description, OpenAPI 3.1',
      tag,
      demo: 'read',
      answers: { 200: Type.Unsafe<object>({ type: 'object' }) },
      run: async () => {
        document ??= openApiDocument(routes);
        return ok(document);
      },
    }),
  ];
}
