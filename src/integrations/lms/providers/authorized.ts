// Requests to a provider with an access token. A token that has expired is renewed once; a refusal after that is final.
import { HttpFailure } from '../http-client/failures.ts';
import type { AttemptedResponse, HttpSession, IsRateLimited } from '../http-client/http-client.ts';
import { maxAttempts } from '../http-client/retries.ts';
import type { HttpResponse } from '../http-client/send-request.ts';
import { AccessRefused, protocolFault } from './faults.ts';

/** Returns a new access token. Throws AccessRefused when the provider grants none any more. */
export type NewToken = () => Promise<string>;

/** Returns a response with status 200, or undefined for 404. Throws AccessRefused, HttpFailure and ProviderFault. */
export type AuthorizedGet = (url: URL) => Promise<HttpResponse | undefined>;

export interface ProviderResponses {
  readonly isRateLimited?: IsRateLimited;
  /** Throws for a refusal that does not concern the right to read. */
  readonly refuse?: (response: HttpResponse) => void;
}

export function authorizedGet(
  session: HttpSession,
  newToken: NewToken,
  { isRateLimited, refuse }: ProviderResponses = {},
): AuthorizedGet {
  let token: string | undefined;
  const get = async (url: URL, attemptsBefore = 0): Promise<AttemptedResponse> => {
    token ??= await newToken();
    const headers = { authorization: `Bearer ${token}` };
    return session.request({ method: 'GET', url, headers }, { isRateLimited, attemptsBefore });
  };
  return async (url) => {
    let response = await get(url);
    if (response.status === 401) {
      token = undefined;
      if (response.attempts >= maxAttempts) throw noAttemptLeft();
      response = await get(url, response.attempts);
    }
    refuse?.(response);
    return acceptedResponse(response);
  };
}

/** It is not known whether the provider would accept a new token, so this is not a refusal. */
const noAttemptLeft = () => new HttpFailure('unavailable', 'The provider is in trouble at the moment.');

function acceptedResponse(response: HttpResponse): HttpResponse | undefined {
  if (response.status === 200) return response;
  if (response.status === 404) return undefined;
  if (response.status === 401)
    throw new AccessRefused('provider_unauthorized', 'The provider does not accept its own token.');
  if (response.status === 403) throw new AccessRefused('provider_forbidden', 'The provider forbids the request.');
  throw protocolFault(`The provider answers with status ${response.status}.`);
}

/** Returns undefined when `json` is not an object. */
export function jsonMember(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns an id, which is a text that is not blank or a whole number, and undefined for any other value. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Returns the member when it is a text that is not blank, else undefined. */
export function textMember(json: unknown, name: string): string | undefined {
  const value = jsonMember(json, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
