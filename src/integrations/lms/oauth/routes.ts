// Connects Google Classroom: the routes that send the administrator's browser to Google and receive it back.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { Cuid, named, object } from '#core/http/schemas.ts';
import { publicRoute, route } from '#core/module/route.ts';
import { ownOrganization } from '#core/module/scopes.ts';
import { notFound } from '#core/platform/errors.ts';
import { bindingCookies, ownAddress, shownCookieHashes } from '#identity/people/index.ts';
import { refuseSecond } from '../connections/connections.ts';
import { providerParams } from '../schemas.ts';
import { organizationForWrite } from '../scopes.ts';
import { finishGrant } from './finish.ts';
import { departure, waitForGrant } from './start.ts';

const tag = 'lms';
const RedirectTarget = named('LmsRedirect', object({ redirectUrl: Type.String() }));
const StartBody = named('LmsOauthStartBody', object({ organizationId: Type.Optional(Cuid) }));

/** The provider adds parameters of its own, and may add further ones later. */
const CallbackQuery = named(
  'LmsCallbackQuery',
  Type.Object(
    {
      state: Type.Optional(Type.String({ maxLength: 512 })),
      code: Type.Optional(Type.String({ maxLength: 2048 })),
      error: Type.Optional(Type.String({ maxLength: 512 })),
    },
    { additionalProperties: Type.String({ maxLength: 2048 }) },
  ),
);

export const oauthRoutes = [
  route({
    method: 'post',
    path: '/api/lms/connections/:provider/oauth-start',
    operation: 'startLmsOauth',
    summary: 'Where to send the browser of the administrator who connects Google Classroom',
    tag,
    allow: ['MANAGE_LMS_CONNECTIONS'],
    scope: ownOrganization,
    demo: 'blocked',
    params: providerParams,
    body: StartBody,
    answers: { 200: RedirectTarget },
    errors: ['NOT_FOUND', 'CONFLICT', 'ENGINE_UNAVAILABLE'],
    prepare: async ({ trx, actor, params, body, services }) => {
      const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
      if (params.provider !== 'google_classroom') throw notFound();
      await refuseSecond(trx, organizationId, params.provider);
      return () => departure(services);
    },
    run: async ({ trx, actor, body, services, prepared, now }) => {
      const organizationId = await organizationForWrite({ trx, actor }, body.organizationId);
      const starting = { organizationId, userId: actor.userId, now };
      const browserSecret = await waitForGrant(trx, services, starting, prepared);
      const cookies = bindingCookies('lms', ownAddress(services.config), browserSecret);
      return { ...ok({ redirectUrl: prepared.url }), headers: { 'set-cookie': cookies } };
    },
  }),
  publicRoute({
    method: 'get',
    path: '/api/lms/connections/:provider/oauth-callback',
    operation: 'finishLmsOauth',
    charge: 'sign-in',
    summary: 'Where Google sends the administrator back to',
    tag,
    demo: 'blocked',
    params: providerParams,
    query: CallbackQuery,
    answers: { 302: RedirectTarget },
    errors: ['STATE_EXPIRED', 'NOT_FOUND', 'ENGINE_UNAVAILABLE'],
    run: async ({ services, params, query, header, requestId, now }) => {
      if (params.provider !== 'google_classroom') throw notFound();
      const cookieHashes = shownCookieHashes('lms', ownAddress(services.config), header('cookie'));
      const parameters = query as Readonly<Record<string, string>>;
      const redirectUrl = await finishGrant(services, { query: parameters, cookieHashes, requestId, now });
      return { status: 302 as const, body: { redirectUrl }, headers: { location: redirectUrl } };
    },
  }),
];
