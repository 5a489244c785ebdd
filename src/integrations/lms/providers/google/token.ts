// Access tokens for Classroom, renewed with the refresh token of an administrator's consent (RFC 6749, 6; RFC 7009).
import type { Services } from '#core/module/services.ts';
import { AppError } from '#core/platform/errors.ts';
import type { GoogleClient } from '#identity/people/index.ts';
import type { HttpSession } from '../../http-client/http-client.ts';
import { ProviderFault } from '../../provider.ts';
import { textMember } from '../authorized.ts';
import { AccessRefused, protocolFault } from '../faults.ts';

/** Errors that concern the operator's client, not the administrator who has given consent. */
const clientErrors = ['invalid_client', 'unauthorized_client', 'deleted_client', 'disabled_client', 'org_internal'];

/**
 * Throws AccessRefused `grant_revoked` when the grant has ended, ProviderFault `provider_configuration` when the operator's
 * client is refused or missing, and HttpFailure.
 */
export async function renewedToken(
  { google }: Pick<Services, 'google'>,
  session: HttpSession,
  refreshToken: string,
): Promise<string> {
  const { tokenEndpoint, clientId, clientSecret } = await tokenService(google);
  const response = await session.request({
    method: 'POST',
    url: new URL(tokenEndpoint),
    form: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  const token = textMember(response.json, 'access_token');
  if (response.status === 200 && token !== undefined) return token;
  const error = textMember(response.json, 'error');
  if (error !== undefined && clientErrors.includes(error)) throw clientRefused();
  if (![400, 401, 403].includes(response.status)) throw protocolFault('The token endpoint answers as none does.');
  throw new AccessRefused('grant_revoked', 'The grant is not accepted any more.');
}

/** Google revokes all tokens of the grant. */
export async function revokeGrant(
  { google }: Pick<Services, 'google'>,
  session: HttpSession,
  token: string,
): Promise<void> {
  const { revocationEndpoint, clientId, clientSecret } = await tokenService(google);
  if (revocationEndpoint === undefined) return;
  const form = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
  await session.request({ method: 'POST', url: new URL(revocationEndpoint), form });
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
