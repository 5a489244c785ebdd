// Activations and rollbacks of changes, and of versions that were in force before, now or later.
import { created, ok } from '#core/http/answers.ts';
import { object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid } from '#core/platform/errors.ts';
import { lockActivations } from '#rules/rulesets/index.ts';
import { changeInPath, changeParams, changePath } from '../changes/scopes.ts';
import type { EntryId } from './activate.ts';
import { requireKnownVersions } from './by-its-change.ts';
import { activateChange, carryOut, momentOf, rollBackChange } from './change.ts';
import { ActivateBody, BundleBody, RollbackBody, TimelineEntryView } from './schemas.ts';
import { timelineEntry, timelinePage } from './timeline.ts';

const tag = 'rules workbench';

async function shown(services: Services, trx: Trx, entry: EntryId, reason: string) {
  const view = await timelineEntry(trx, entry, services.clock.now());
  services.metrics.countReason(view.kind === 'rollback' ? 'rollback' : 'activate', reason);
  return view;
}

export const activationRoutes = [
  route({
    method: 'post',
    path: `${changePath}/activate`,
    operation: 'activateRuleChange',
    summary: 'Put a published change in force as one, now or from a moment on',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: changeInPath,
    demo: 'blocked',
    params: changeParams,
    body: ActivateBody,
    answers: { 200: TimelineEntryView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body, actor }) =>
      ok(await shown(services, trx, await activateChange(services, trx, scope, body, actor), body.reason)),
  }),
  route({
    method: 'post',
    path: `${changePath}/rollback`,
    operation: 'rollbackRuleChange',
    summary: 'Put the documents of a change back to what was before it, as one; take a plan back',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: changeInPath,
    demo: 'blocked',
    params: changeParams,
    body: RollbackBody,
    answers: { 200: TimelineEntryView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope, body: { reason }, actor: { userId } }) => {
      const entry = await rollBackChange(services, trx, scope, { reason, userId });
      services.metrics.countReason('rollback', reason);
      return ok(await timelineEntry(trx, entry, services.clock.now()));
    },
  }),
  route({
    method: 'get',
    path: '/api/admin/rule-bundles',
    operation: 'listRuleBundles',
    summary: 'The timeline: what is planned, in force and past, with the progress of recomputing',
    tag,
    allow: ['RUN_BACKOFFICE'],
    scope: platformData,
    demo: 'read',
    query: object(pageQuery),
    answers: { 200: page(TimelineEntryView) },
    run: async ({ trx, query, now }) => ok(await timelinePage(trx, query, now)),
  }),
  route({
    method: 'post',
    path: '/api/admin/rule-bundles',
    operation: 'activateRuleBundle',
    summary: 'Put versions in force at once that were in force or came with a release, now or later',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: platformData,
    demo: 'blocked',
    body: BundleBody,
    answers: { 201: TimelineEntryView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body: { versions, from, reason }, actor }) => {
      if (Object.keys(versions).length === 0) throw invalid('versions', 'must name at least one document');
      const timeline = await lockActivations(trx, services.clock);
      const at = momentOf(from, timeline);
      await requireKnownVersions(trx, versions, timeline.moment);
      const order = { pins: versions, kind: 'activate', reason, userId: actor.userId } as const;
      return created(await shown(services, trx, await carryOut(services, trx, order, at), reason));
    },
  }),
];
