// Routes of sign-in with Google: two browser redirects and the frontend's exchange of the code.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { named, object } from '#core/http/schemas.ts';
import { publicRoute } from '#core/module/route.ts';
import { ownAddress } from '../auth-sessions/own-address.ts';
import { signInServices } from '../auth-sessions/sign-in-services.ts';
import { Tokens } from '../credentials/schemas.ts';
import { bindingCookies, shownCookieHashes } from './cookie.ts';
import { exchangeHandoff } from './exchange.ts';
import { exchangeFields, HandoffChallenge } from './schemas.ts';
import { finishGoogleSignIn, startGoogleSignIn } from './sign-in.ts';

const tag = 'identity';
const callbackPath = '/api/auth/google/callback';
const Redirect = named('Redirect', object({ redirectUrl: Type.String() }));
/** A path of the frontend; the pattern excludes other hosts. */
const ReturnTo = named('ReturnTo', Type.String({ maxLength: 512, pattern: '^/(?![/\\\\])[^\\\\\\s]*$' }));
/** Additional parameters are allowed, because the provider adds its own. */
const CallbackQuery = named(
  'CallbackQuery',
  Type.Object(
    {
      state: Type.Optional(Type.String({ maxLength: 512 })),
      code: Type.Optional(Type.String({ maxLength: 2048 })),
      error: Type.Optional(Type.String({ maxLength: 512 })),
    },
    { additionalProperties: Type.String({ maxLength: 2048 }) },
  ),
);

const redirect = (redirectUrl: string, cookies: readonly string[] = []) => ({
  status: 302 as const,
  body: { redirectUrl },
  headers: { location: redirectUrl, ...(cookies.length > 0 && { 'set-cookie': cookies }) },
});

export const googleRoutes = [
  publicRoute({
    method: 'get',
    path: '/api/auth/google/start',
    operation: 'startGoogleSignIn',
    charge: 'sign-in',
    summary: 'Begin a sign-in with Google',
    tag,
    demo: 'loop',
    query: object({ returnTo: Type.Optional(ReturnTo), handoffChallenge: Type.Optional(HandoffChallenge) }),
    answers: { 302: Redirect },
    run: async ({ services, query, now }) => {
      const base = ownAddress(services.config);
      const started = await startGoogleSignIn(
        signInServices(services),
        { ...query, redirectUri: `${base}${callbackPath}` },
        now,
      );
      return redirect(started.url, bindingCookies('signin', base, started.browserSecret));
    },
  }),
  publicRoute({
    method: 'get',
    path: callbackPath,
    operation: 'finishGoogleSignIn',
    charge: 'sign-in',
    summary: 'Where Google sends the browser back to',
    tag,
    demo: 'loop',
    query: CallbackQuery,
    answers: { 302: Redirect },
    errors: ['STATE_EXPIRED'],
    run: async ({ services, query, header, now }) => {
      const cookieHashes = shownCookieHashes('signin', ownAddress(services.config), header('cookie'));
      const parameters = query as Readonly<Record<string, string>>;
      return redirect(await finishGoogleSignIn(signInServices(services), parameters, cookieHashes, now));
    },
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/google/exchange',
    operation: 'exchangeGoogleCode',
    charge: 'sign-in',
    summary: 'Exchange the code of a Google sign-in or of a recovery link for tokens; each code works once',
    tag,
    demo: 'loop',
    limit: 'closed',
    body: object(exchangeFields),
    answers: { 200: Tokens },
    errors: ['STATE_EXPIRED', 'SECOND_FACTOR_REQUIRED', 'BRUTE_FORCE_LOCKED'],
    run: async ({ services, body, clientIp, now, checked }) =>
      exchangeHandoff(signInServices(services), { ...body, clientIp }, now, (pair) => checked(ok(pair))),
  }),
];
