// Access tokens of a OneRoster service: by client credentials with HTTP Basic or in the body (RFC 6749, 2.3.1 and 4.4), or a
// fixed bearer token.
import type { HttpSession } from '../../http-client/http-client.ts';
import { textMember } from '../authorized.ts';
import type { RestClient } from '../credentials.ts';
import { protocolFault } from '../faults.ts';

/** `scope`: the service accepts the client but not the scope. */
export type TokenRefusal = 'client' | 'scope';

export type TokenOutcome = { readonly token: string } | { readonly refused: TokenRefusal };

/** Throws HttpFailure, and ProviderFault `provider_protocol` for a response that no token endpoint sends. */
export async function fetchToken(session: HttpSession, client: RestClient): Promise<TokenOutcome> {
  if (client.auth === 'bearer') return { token: client.token };
  const { tokenUrl, clientId, clientSecret, scope, auth } = client;
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
  const inBody = auth === 'body';
  const response = await session.request({
    method: 'POST',
    url: new URL(tokenUrl),
    ...(!inBody && { headers: { authorization: `Basic ${basic}` } }),
    form: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== null && { scope }),
      ...(inBody && { client_id: clientId, client_secret: clientSecret }),
    }),
  });
  const token = textMember(response.json, 'access_token');
  if (response.status === 200 && token !== undefined && isBearer(token)) return { token };
  if (![400, 401, 403].includes(response.status)) throw protocolFault('There is no token endpoint at the address.');
  return { refused: textMember(response.json, 'error') === 'invalid_scope' ? 'scope' : 'client' };
}

/** Encodes a text as a part of an application/x-www-form-urlencoded body. */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** The syntax of RFC 6750, 2.1. Any other text could not be sent in one header. */
export const isBearer = (token: string) => /^[A-Za-z0-9._~+/-]+=*$/.test(token);
