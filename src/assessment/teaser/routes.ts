// Routes of the public teaser: start, finish, save contact data. No sign-in exists, and account tokens are refused.

import { created, ok } from '#core/http/answers.ts';
import type { BeforeValidationRequest } from '#core/http/route.ts';
import { cuidParams } from '#core/http/schemas.ts';
import { publicRoute, route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import type { Services } from '#core/module/services.ts';
import { invalid } from '#core/platform/errors.ts';
import { finishTeaser } from './finish.ts';
import { eraseLeads, saveLead } from './leads.ts';
import {
  EraseLeadsBody,
  FinishTeaserBody,
  LeadBody,
  LeadsErased,
  NoBody,
  StartTeaserBody,
  TeaserFinished,
  TeaserStarted,
} from './schemas.ts';
import { findSession } from './session.ts';
import { startTeaser } from './start.ts';
import { inTeaserTransaction, mapToTeaserUnavailable } from './unavailable.ts';

/** Throws TEASER_UNAVAILABLE while the limit cannot be checked. */
async function admitVisitor({ services, clientIp, header }: BeforeValidationRequest<Services>): Promise<void> {
  await mapToTeaserUnavailable(services.limits.takeAsAddress(services.addressHash(clientIp), 'closed'));
  if (header('authorization') !== undefined) throw invalid('authorization', 'not_accepted');
}

/** An unknown session is NOT_FOUND for every body. */
async function requireSession(request: BeforeValidationRequest<Services>): Promise<void> {
  await admitVisitor(request);
  await inTeaserTransaction(request.services.db, (trx) => findSession(trx, request.params.id ?? ''));
}

const shared = {
  tag: 'teaser',
  method: 'post',
  demo: 'loop',
  limit: 'closed',
  charge: 'by the handler',
  beforeValidation: admitVisitor,
} as const;

const eraseTeaserLeads = route({
  method: 'post',
  path: '/api/admin/teaser-leads/erasure',
  operation: 'eraseTeaserLeads',
  summary: 'Forget who left an email address or a WhatsApp number',
  tag: 'teaser',
  allow: ['RUN_BACKOFFICE'],
  scope: platformData,
  demo: 'blocked',
  body: EraseLeadsBody,
  answers: { 200: LeadsErased },
  run: async ({ services, trx, actor, body, clientIp, now }) => {
    const erased = await eraseLeads(trx, body);
    const who = { organizationId: null, userId: actor.userId, addressHash: services.addressHash(clientIp) };
    await services.securityEvents.recordWith(trx, { kind: 'erasure', ...who, details: { leads: erased }, at: now });
    return ok({ erased });
  },
});

export const teaserRoutes = [
  eraseTeaserLeads,
  publicRoute({
    ...shared,
    path: '/api/teaser/sessions',
    operation: 'startTeaser',
    summary: 'Start an anonymous short test of ten items',
    body: StartTeaserBody,
    answers: { 201: TeaserStarted },
    errors: ['RATE_LIMITED', 'TEASER_UNAVAILABLE'],
    run: async ({ services, body: { grade, source }, clientIp, checked, ...moment }) =>
      startTeaser(services, { grade, source, clientIp }, moment, (started) => checked(created(started))),
  }),
  publicRoute({
    ...shared,
    path: '/api/teaser/sessions/:id/finish',
    operation: 'finishTeaser',
    summary: 'Hand in the answers and get a band, never a score',
    beforeValidation: requireSession,
    params: cuidParams,
    body: FinishTeaserBody,
    answers: { 200: TeaserFinished },
    errors: ['TOKEN_INVALID', 'CONFLICT', 'TEASER_UNAVAILABLE'],
    run: async ({ services, params, body, now, checked }) =>
      finishTeaser(services, { ...body, sessionId: params.id }, now, (result) => checked(ok(result))),
  }),
  publicRoute({
    ...shared,
    path: '/api/teaser/leads',
    operation: 'saveTeaserLead',
    summary: 'Leave an email address or a WhatsApp number for a session',
    body: LeadBody,
    answers: { 201: NoBody },
    errors: ['NOT_FOUND', 'TOKEN_INVALID', 'TEASER_UNAVAILABLE'],
    run: async ({ services, body, now, checked }) => saveLead(services, body, now, () => checked(created(undefined))),
  }),
];
