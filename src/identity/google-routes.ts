// Sign-in with Google: two redirects of the browser, and the frontend's exchange.
import Type from 'typebox';
import { ok, type PublicContext } from '../http/route.ts';
import { object } from '../http/schemas.ts';
import { publicRoute } from '../route.ts';
import type { Services } from '../services.ts';
import { exchangeHandoff, finishGoogleSignIn, startGoogleSignIn } from './google-sign-in.ts';
import { Tokens } from './schemas.ts';

const tag = 'identity';
const callbackPath = '/api/auth/google/callback';
const Redirect = object({ redirectUrl: Type.String() });
/** A path of the frontend: no other host can be smuggled in. */
const ReturnTo = Type.String({ maxLength: 512, pattern: '^/(?![/\\\\])[^\\\\\\s]*$' });
/** The provider adds parameters of its own, and may add others tomorrow. */
const CallbackQuery = Type.Object(
  {
    state: Type.Optional(Type.String({ maxLength: 512 })),
    code: Type.Optional(Type.String({ maxLength: 2048 })),
    error: Type.Optional(Type.String({ maxLength: 512 })),
  },
  { additionalProperties: Type.String({ maxLength: 2048 }) },
);

const redirect = (redirectUrl: string) => ({
  status: 302 as const,
  body: { redirectUrl },
  headers: { location: redirectUrl },
});

type Request = Pick<PublicContext<Services, unknown, unknown, unknown>, 'services' | 'header'>;

/**
 * The address that the browser used to reach us. A forged Host gains nothing: the provider sends people only to
 * addresses that were registered with it.
 */
function callbackAddress({ services, header }: Request): string {
  const forwarded = services.config.trustProxy > 0 ? header('x-forwarded-proto') : undefined;
  const base = `${forwarded === 'https' ? 'https' : 'http'}://${header('host') ?? ''}`;
  return new URL(callbackPath, URL.canParse(base) ? base : 'http://localhost').href;
}

export const googleRoutes = [
  publicRoute({
    method: 'get',
    path: '/api/auth/google/start',
    operation: 'startGoogleSignIn',
    summary: 'Begin a sign-in with Google',
    tag,
    demo: 'loop',
    query: object({ returnTo: Type.Optional(ReturnTo) }),
    answers: { 302: Redirect },
    run: async (ctx) => {
      const wish = { redirectUri: callbackAddress(ctx), returnTo: ctx.query.returnTo };
      return redirect(await startGoogleSignIn(ctx.services, wish, ctx.now));
    },
  }),
  publicRoute({
    method: 'get',
    path: callbackPath,
    operation: 'finishGoogleSignIn',
    summary: 'Where Google sends the browser back to',
    tag,
    demo: 'loop',
    query: CallbackQuery,
    answers: { 302: Redirect },
    errors: ['STATE_EXPIRED'],
    run: async ({ services, query, now }) =>
      redirect(await finishGoogleSignIn(services, query as Readonly<Record<string, string>>, now)),
  }),
  publicRoute({
    method: 'post',
    path: '/api/auth/google/exchange',
    operation: 'exchangeGoogleCode',
    summary: 'Exchange the code of a finished Google sign-in for tokens; each code works once, for 60 seconds',
    tag,
    demo: 'loop',
    limit: 'closed',
    body: object({ code: Type.String({ minLength: 1, maxLength: 512 }) }),
    answers: { 200: Tokens },
    errors: ['STATE_EXPIRED'],
    run: async ({ services, body, now }) => ok(await exchangeHandoff(services, body.code, now)),
  }),
];
