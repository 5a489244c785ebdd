// Access tokens for Classroom: renewed with what an administrator has agreed to once (RFC 6749, 6; RFC 7009).
import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import type { GoogleClient } from '#identity/people/index.ts';
import { ProviderFault } from '../../provider.ts';
import type { Talk } from '../../reaching/reach.ts';
import { textOf } from '../authorized.ts';
import { AccessRefused, protocolFault } from '../faults.ts';

/** What Google says of the operator's client, not of the administrator who has agreed. */
const clientErrors = ['invalid_client', 'unauthorized_client', 'deleted_client', 'disabled_client', 'org_internal'];

/**
 * Throws AccessRefused `grant_revoked` where the grant is gone, ProviderFault `provider_configuration` where the operator's
 * client is refused or missing, and what is thrown when a provider is not reached.
 */
export async function renewedToken(
  { google }: Pick<Services, 'google'>,
  talk: Talk,
  refreshToken: string,
): Promise<string> {
  const { tokenEndpoint, clientId, clientSecret } = await tokenService(google);
  const told = await talk.ask({
    method: 'POST',
    url: new URL(tokenEndpoint),
    form: new URLSearchParams({
      ...{ grant_type: 'refresh_token', refresh_token: refreshToken },
      ...{ client_id: clientId, client_secret: clientSecret },
    }),
  });
  const token = textOf(told.json, 'access_token');
  if (told.status === 200 && token !== undefined) return token;
  const error = textOf(told.json, 'error');
  if (error !== undefined && clientErrors.includes(error)) throw clientRefused();
  if (![400, 401, 403].includes(told.status)) throw protocolFault('The token endpoint answers as none does.');
  throw new AccessRefused('grant_revoked', 'The grant is not accepted any more.');
}

/** Google ends all tokens of the grant. */
export async function giveBackGrant({ google }: Pick<Services, 'google'>, talk: Talk, token: string): Promise<void> {
  const { revocationEndpoint, clientId, clientSecret } = await tokenService(google);
  if (revocationEndpoint === undefined) return;
  const form = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
  await talk.ask({ method: 'POST', url: new URL(revocationEndpoint), form });
}

async function tokenService(google: GoogleClient | undefined) {
  if (!google) throw clientRefused();
  try {
    return await google.tokenService();
  } catch (error) {
    if (error instanceof AppError) throw new ProviderFault('provider_unavailable', error.message, error.retryAfter);
    throw error;
  }
}

const clientRefused = () =>
  new ProviderFault(
    'provider_configuration',
    'The client of this service is not accepted; its operator has to mend it.',
  );
