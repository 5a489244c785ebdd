// Commits a preview.
import { ok } from '#core/http/answers.ts';
import { route } from '#core/module/route.ts';
import { CommitView, previewParams } from '../preview/schemas.ts';
import { previewInOrganization } from '../scopes.ts';
import { commitPreview } from './commit.ts';

export const commitRoutes = [
  route({
    tag: 'lms',
    allow: ['MANAGE_ROSTER'],
    method: 'post',
    path: '/api/lms/commit/:previewId',
    operation: 'commitLmsPreview',
    heavy: true,
    summary: 'Make it so, in one transaction; asked again, the same answer',
    scope: previewInOrganization,
    demo: 'blocked',
    params: previewParams,
    answers: { 200: CommitView },
    errors: ['CONFLICT'],
    run: async ({ trx, scope, services }) => ok(await commitPreview(trx, scope, () => services.clock.now())),
  }),
];
