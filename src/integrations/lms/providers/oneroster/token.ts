// Access tokens of a OneRoster service: client credentials by HTTP Basic or in the body (RFC 6749, 2.3.1 and 4.4), or one that
// was given once.
import type { Talk } from '../../reaching/reach.ts';
import { textOf } from '../authorized.ts';
import type { RestClient } from '../credentials.ts';
import { protocolFault } from '../faults.ts';

/** `scope`: the service knows the client, and not the scope. */
export type TokenRefusal = 'client' | 'scope';

export type TokenOutcome = { readonly token: string } | { readonly refused: TokenRefusal };

/** Throws ReachFailure, and ProviderFault `provider_protocol` for an answer that is none of a token endpoint. */
export async function fetchToken(talk: Talk, client: RestClient): Promise<TokenOutcome> {
  if (client.auth === 'bearer') return { token: client.token };
  const { tokenUrl, clientId, clientSecret, scope, auth } = client;
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
  const inBody = auth === 'body';
  const told = await talk.ask({
    method: 'POST',
    url: new URL(tokenUrl),
    ...(!inBody && { headers: { authorization: `Basic ${basic}` } }),
    form: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== null && { scope }),
      ...(inBody && { client_id: clientId, client_secret: clientSecret }),
    }),
  });
  const token = textOf(told.json, 'access_token');
  if (told.status === 200 && token !== undefined && isBearer(token)) return { token };
  if (![400, 401, 403].includes(told.status)) throw protocolFault('There is no token endpoint at the address.');
  return { refused: textOf(told.json, 'error') === 'invalid_scope' ? 'scope' : 'client' };
}

/** As the parts of an application/x-www-form-urlencoded body. */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** RFC 6750, 2.1; anything else would not be one header. */
export const isBearer = (token: string) => /^[A-Za-z0-9._~+/-]+=*$/.test(token);
