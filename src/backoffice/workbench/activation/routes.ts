// Activations and rollbacks of one or several versions, now or later.
import { created, ok } from '#core/http/answers.ts';
import { object, page, pageQuery } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { invalid } from '#core/platform/errors.ts';
import { lockActivations } from '#rules/rulesets/index.ts';
import { publishedSetInPath, ruleSetParams, versionInPath, versionParams } from '../published/scopes.ts';
import { type ActivationOrder, activateNow, type EntryId } from './activate.ts';
import { rollBack } from './rollback.ts';
import { scheduleActivation } from './schedule.ts';
import { ActivateBody, BundleBody, RollbackBody, TimelineEntryView } from './schemas.ts';
import { timelineEntry, timelinePage } from './timeline.ts';

const tag = 'rules workbench';

type Services = Parameters<typeof activateNow>[0];
type Trx = Parameters<typeof activateNow>[1];

/** Clocks of people and of the service may differ by this much. */
const pastToleranceMs = 60_000;

/**
 * Without `from`, or with one of the last minute, the order is carried out now. An earlier one is refused: it is a slip in a date,
 * and not the wish to change rules at once. A leap second matches the pattern and is no instant.
 */
async function activate(services: Services, trx: Trx, order: ActivationOrder, from: string | undefined) {
  const at = from === undefined ? undefined : new Date(from);
  if (at && Number.isNaN(at.getTime())) throw invalid('from', 'is no instant');
  const { moment } = await lockActivations(trx, services.clock);
  if (at && at.getTime() < moment.getTime() - pastToleranceMs) {
    throw invalid('from', 'lies in the past', 'The moment lies in the past. Leave `from` out to activate now.');
  }
  const entry: EntryId =
    at && at.getTime() > moment.getTime()
      ? await scheduleActivation(services, trx, order, at)
      : await activateNow(services, trx, order);
  const shown = await timelineEntry(trx, entry, services.clock.now());
  services.metrics.countReason(shown.kind === 'rollback' ? 'rollback' : 'activate', order.reason);
  return shown;
}

export const activationRoutes = [
  route({
    method: 'post',
    path: '/api/admin/rule-sets/:family/:key/versions/:version/activate',
    operation: 'activateRuleVersion',
    summary: 'Put a version in force, now or from a moment on: a new bundle that differs in this pin',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: versionInPath,
    demo: 'blocked',
    params: versionParams,
    body: ActivateBody,
    answers: { 200: TimelineEntryView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope: { family, key, version }, body, actor }) => {
      const pins = { [`${family}/${key}`]: version };
      const order = { pins, kind: 'activate', reason: body.reason, userId: actor.userId } as const;
      return ok(await activate(services, trx, order, body.from));
    },
  }),
  route({
    method: 'post',
    path: '/api/admin/rule-sets/:family/:key/rollback',
    operation: 'rollbackRuleSet',
    summary: 'Go back to a version that was in force; to the one that is: take back what is planned',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: publishedSetInPath,
    demo: 'blocked',
    params: ruleSetParams,
    body: RollbackBody,
    answers: { 200: TimelineEntryView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, scope: { family, key }, body, actor }) => {
      const input = { ...body, name: `${family}/${key}`, userId: actor.userId } as const;
      const entry = await rollBack(services, trx, input);
      services.metrics.countReason('rollback', body.reason);
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
    summary: 'Put several versions in force at once, now or from a moment on',
    tag,
    allow: ['PUBLISH_RULES'],
    scope: platformData,
    demo: 'blocked',
    body: BundleBody,
    answers: { 201: TimelineEntryView },
    errors: ['CONFLICT', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, trx, body, actor }) => {
      if (Object.keys(body.versions).length === 0) throw invalid('versions', 'must name at least one document');
      const order = { pins: body.versions, kind: 'activate', reason: body.reason, userId: actor.userId } as const;
      return created(await activate(services, trx, order, body.from));
    },
  }),
];
