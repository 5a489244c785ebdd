// Creates previews of what a roster would change, reads them page by page and resolves their rows.
import { created, ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { previewInOrganization } from '../scopes.ts';
import { createPreview } from './create.ts';
import { cursorKey, presentPreview, presentPreviewRow } from './present.ts';
import { resolveRow, resolveRows } from './resolve.ts';
import {
  LmsPreviewView,
  NewPreviewBody,
  PreviewQuery,
  PreviewRowView,
  previewParams,
  previewRowParams,
  ResolvedRows,
  ResolveRowBody,
  ResolveRowsBody,
} from './schemas.ts';

const common = { tag: 'lms', allow: ['MANAGE_ROSTER'] } as const;

export const previewRoutes = [
  route({
    ...common,
    method: 'post',
    path: '/api/lms/preview',
    operation: 'createLmsPreview',
    summary: 'Ask what the rosters of mapped courses would change',
    scope: ownOrganization,
    demo: 'blocked',
    body: NewPreviewBody,
    answers: { 201: LmsPreviewView },
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async ({ trx, actor, body, services }) => {
      const now = services.clock.now();
      return created(await presentPreview(trx, await createPreview({ trx, actor, now }, body), {}, now));
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/api/lms/preview/:previewId',
    operation: 'getLmsPreview',
    summary: 'A preview and a page of its rows, of one reason or of all',
    scope: previewInOrganization,
    demo: 'read',
    params: previewParams,
    query: PreviewQuery,
    answers: { 200: LmsPreviewView },
    run: async ({ trx, scope, query, now }) => {
      cursorKey(query.cursor);
      return ok(await presentPreview(trx, scope, query, now));
    },
  }),
  route({
    ...common,
    method: 'patch',
    path: '/api/lms/preview/:previewId/rows/:rowId',
    operation: 'resolveLmsPreviewRow',
    summary: 'Say what is to become of a row; null takes it back',
    scope: previewInOrganization,
    demo: 'blocked',
    params: previewRowParams,
    body: ResolveRowBody,
    answers: { 200: PreviewRowView },
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async ({ trx, scope, params, body, services }) => {
      const resolving = { rowId: params.rowId, resolution: body.resolution, clock: () => services.clock.now() };
      return ok(await presentPreviewRow(trx, await resolveRow(trx, scope, resolving)));
    },
  }),
  route({
    ...common,
    method: 'patch',
    path: '/api/lms/preview/:previewId/rows',
    operation: 'resolveLmsPreviewRows',
    summary: 'Say the same to all rows of one reason',
    scope: previewInOrganization,
    demo: 'blocked',
    params: previewParams,
    body: ResolveRowsBody,
    answers: { 200: ResolvedRows },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, body, services }) =>
      ok({ changed: await resolveRows(trx, scope, { ...body, clock: () => services.clock.now() }) }),
  }),
];
