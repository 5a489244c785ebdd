// Access tokens of a OneRoster service: client credentials by HTTP Basic (RFC 6749, 2.3.1 and 4.4).
import type { Talk } from '../../reaching/reach.ts';
import { textOf } from '../authorized.ts';
import type { RestCredentials } from '../credentials.ts';
import { protocolFault } from '../faults.ts';

/** `scope`: the service knows the client, and not the scope. */
export type TokenRefusal = 'client' | 'scope';

export type TokenOutcome = { readonly token: string } | { readonly refused: TokenRefusal };

/** Throws ReachFailure, and ProviderFault `provider_protocol` for an answer that is none of a token endpoint. */
export async function fetchToken(
  talk: Talk,
  { tokenUrl, clientId, clientSecret, scope }: Omit<RestCredentials, 'root'>,
): Promise<TokenOutcome> {
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
  const told = await talk.ask({
    method: 'POST',
    url: new URL(tokenUrl),
    headers: { authorization: `Basic ${basic}` },
    form: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== null && { scope }) }),
  });
  const token = textOf(told.json, 'access_token');
  if (told.status === 200 && token !== undefined && isBearer(token)) return { token };
  if (![400, 401, 403].includes(told.status)) throw protocolFault('There is no token endpoint at the address.');
  return { refused: textOf(told.json, 'error') === 'invalid_scope' ? 'scope' : 'client' };
}

/** As the parts of an application/x-www-form-urlencoded body. */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** RFC 6750, 2.1; anything else would not be one header. */
const isBearer = (token: string) => /^[A-Za-z0-9._~+/-]+=*$/.test(token);
