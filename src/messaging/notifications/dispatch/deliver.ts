// Dispatches the waiting requests of an organization in batches: read, compose with no transaction open, store under the lock
// what has not been settled meanwhile. A process that is killed at any point loses no notification and stores none twice.
import type { Services } from '#core/module/services.ts';
import { inContext, inReadOnlyContext, type Trx } from '#core/platform/db.ts';
import { acquireNamedLock } from '#core/platform/locks.ts';
import { type SetName, tiersOfSet } from '#rules/language/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { compose, NotificationRefused, type Outcome } from '../engine/compose.ts';
import type { RequestRefusal } from '../enums.ts';
import {
  releaseHeld,
  requestKeyOf,
  type SettledRequest,
  settleRequests,
  stillWaiting,
  type WaitingRequest,
  waitingRequests,
} from '../requests/rows.ts';
import { alertGivenUp } from './alerts.ts';
import { type IsDeliverable, loadRecipients, type Recipients, recipientsNow } from './people.ts';
import { type Deliverable, storeNotifications } from './store.ts';

const batchSize = 500;
/** Batches of one job; the rest is left to the next job, after those of other organizations. */
const mostBatches = 10;

/** Throws ENGINE_UNAVAILABLE without rules in force. */
export async function deliverWaiting(services: Services, organizationId: string, stop?: AbortSignal): Promise<void> {
  await release(services, organizationId);
  for (let batch = 0; batch < mostBatches && !stop?.aborted; batch++) {
    if ((await deliverBatch(services, organizationId)) < batchSize) return;
  }
}

/** Releases requests whose missing rules have come into force. */
async function release({ db, rules, clock }: Services, organizationId: string): Promise<void> {
  await inContext(db, { organizationId }, async (trx) => {
    const sets = setsInForce((await rules.at(trx, clock.now())).rules);
    await acquireNamedLock(trx, 'notifications', organizationId);
    await releaseHeld(trx, organizationId, sets, batchSize * mostBatches);
  });
}

type Decided =
  | { readonly request: WaitingRequest; readonly outcome: Outcome }
  | { readonly request: WaitingRequest; readonly refusal: RequestRefusal };

async function deliverBatch(services: Services, organizationId: string): Promise<number> {
  const { db, rules, clock } = services;
  const read = await inReadOnlyContext(db, { organizationId }, async (trx) => {
    const requests = await waitingRequests(trx, organizationId, batchSize);
    if (requests.length === 0) return undefined;
    const { rules: bundle } = await rules.at(trx, clock.now());
    return { requests, bundle, people: await loadRecipients(trx, organizationId, requests) };
  });
  if (!read) return 0;
  const { requests, bundle, people } = read;
  const decided = requests.map((request) => decide(services, bundle, request, people));
  await inContext(db, { organizationId }, (trx) => save(trx, services, organizationId, decided));
  return requests.length;
}

/** A request whose composition fails unexpectedly is given up as well, so that it does not block the others. */
function decide({ log }: Services, bundle: RuleBundle, request: WaitingRequest, people: Recipients): Decided {
  try {
    return { request, outcome: compose(bundle, request, people.recipient(request.recipientUserId), people) };
  } catch (error) {
    if (error instanceof NotificationRefused) return { request, refusal: error.refusal };
    log.error({ err: error, eventId: request.eventId, kind: request.kind }, 'a notification could not be composed');
    return { request, refusal: 'PayloadInvalid' };
  }
}

async function save(
  trx: Trx,
  { clock, log, notificationStreams }: Services,
  organizationId: string,
  decided: readonly Decided[],
): Promise<void> {
  const requests = decided.map(({ request }) => request);
  const isDeliverable = await recipientsNow(trx, organizationId, requests);
  await acquireNamedLock(trx, 'notifications', organizationId);
  const now = clock.now();
  const waiting = await stillWaiting(trx, organizationId, requests);
  const own = decided.filter(({ request }) => waiting.has(requestKeyOf(request)));
  const deliverables = own.flatMap((one) => deliverableIn(one, isDeliverable));
  const ids = await storeNotifications(trx, organizationId, deliverables, now);
  notificationStreams.tell(
    trx,
    deliverables.map(({ request }) => request.recipientUserId),
  );
  const idOf = new Map(deliverables.map(({ request }, at) => [requestKeyOf(request), ids[at]]));
  const settled = own.map((one) => settledOf(one, idOf.get(requestKeyOf(one.request))));
  await settleRequests(trx, organizationId, settled, now);
  const refused = own.flatMap((one) => ('refusal' in one ? [{ ...one.request, refusal: one.refusal }] : []));
  await alertGivenUp(trx, organizationId, refused, now);
  log.info(
    { organizationId, requests: own.length, delivered: deliverables.length, refused: refused.length },
    'notifications dispatched',
  );
}

/** Leaves out recipients who were deactivated since the batch was read and parents without a link to the child. */
function deliverableIn(one: Decided, isDeliverable: IsDeliverable): Deliverable[] {
  const { request } = one;
  if (!('outcome' in one) || !('composed' in one.outcome) || !isDeliverable(request)) return [];
  return [{ request, composed: one.outcome.composed }];
}

function settledOf(one: Decided, notificationId: string | undefined): SettledRequest {
  const { eventId, recipientUserId } = one.request;
  const key = { eventId, recipientUserId, waitsFor: null, refusal: null, notificationId: null };
  if ('refusal' in one) return { ...key, state: 'refused', refusal: one.refusal };
  if ('waitsFor' in one.outcome) return { ...key, state: 'waiting', waitsFor: one.outcome.waitsFor };
  if (notificationId === undefined) return { ...key, state: 'skipped' };
  return { ...key, state: 'delivered', notificationId };
}

/** The documents of language rules in force. A notification waits while that of its recipient is missing. */
export const setsInForce = ({ versions }: RuleBundle): SetName[] =>
  (Object.keys(tiersOfSet) as SetName[]).filter((name) => versions[name] !== undefined);
