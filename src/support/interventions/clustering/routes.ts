// Routes of the groups of a class: recompute, read, activate; and the preview of a student's support.
import { created, ok } from '#core/http/answers.ts';
import type { PrefetchRequest } from '#core/http/route.ts';
import { classParams, Empty, idParams } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import type { Services } from '#core/module/services.ts';
import { classInReach, studentInReach, teachersAndAdmins } from '#identity/people/index.ts';
import { teachersOnly } from '../workflow/callers.ts';
import { bulkActivate } from './bulk-activate.ts';
import { currentGroups } from './current.ts';
import { scaffoldPreview } from './preview.ts';
import { recomputeGroups } from './recompute.ts';
import { BulkBody, BulkView, GenerationView, RecomputedView, ScaffoldPreviewView } from './schemas.ts';

const shared = {
  tag: 'interventions',
  allow: ['VIEW_OWN_CLASSES', 'RUN_BACKOFFICE'] as const,
  prefetch: ({ services, trx, now }: PrefetchRequest<Services>) => services.rules.prefetch(trx, now),
};

const recompute = route({
  ...shared,
  method: 'post',
  path: '/api/cluster/recompute/:classId',
  operation: 'recomputeClusters',
  heavy: true,
  summary: 'Find the groups of a class anew',
  demo: 'blocked',
  scope: classInReach(teachersAndAdmins, 'classId'),
  params: classParams,
  body: Empty,
  answers: { 200: RecomputedView },
  errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
  run: async ({ services, trx, scope }) => ok(await recomputeGroups(services, trx, scope)),
});

const current = route({
  ...shared,
  method: 'get',
  path: '/api/cluster/classes/:classId/current',
  operation: 'getCurrentClusters',
  heavy: true,
  summary: 'The groups of a class as they were last found',
  demo: 'read',
  scope: classInReach(teachersAndAdmins, 'classId'),
  params: classParams,
  answers: { 200: GenerationView },
  errors: ['ENGINE_UNAVAILABLE'],
  run: async ({ services, trx, scope, now }) => ok(await currentGroups(services, trx, scope, now)),
});

const preview = route({
  ...shared,
  method: 'get',
  path: '/api/cluster/student/:id/preview',
  operation: 'previewScaffoldDistribution',
  heavy: true,
  summary: 'What a student answered alone, with support and not, beside the group that the student is in',
  demo: 'read',
  scope: studentInReach(teachersAndAdmins),
  params: idParams,
  answers: { 200: ScaffoldPreviewView },
  errors: ['ENGINE_UNAVAILABLE'],
  run: async ({ services, trx, scope, now }) => ok(await scaffoldPreview(services, trx, scope, now)),
});

const bulk = route({
  ...shared,
  method: 'post',
  path: '/api/cluster/bulk-activate',
  operation: 'bulkActivateCluster',
  heavy: true,
  summary: 'Give every member of a group its bundle, where the group is what the teacher has seen',
  allow: ['VIEW_OWN_CLASSES'],
  demo: 'blocked',
  scope: teachersOnly,
  body: BulkBody,
  answers: { 201: BulkView },
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'CLUSTER_STALE',
    'EXCLUDED_MEMBER',
    'MEMBER_ADJUSTMENTS_NOT_SUPPORTED',
    'ENGINE_UNAVAILABLE',
  ],
  run: async (ctx) => created(await bulkActivate(ctx)),
});

export const clusteringRoutes = [recompute, current, preview, bulk];
