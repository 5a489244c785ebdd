// Asking a provider with an access token. A token that has run out is renewed once; what is refused after that is refused
// for good.
import type { Told } from '../reaching/exchange.ts';
import { ReachFailure } from '../reaching/failures.ts';
import type { Answered, CountsAsLimited, Talk } from '../reaching/reach.ts';
import { mostTries } from '../reaching/tries.ts';
import { AccessRefused, protocolFault } from './faults.ts';

/** A fresh access token. Throws AccessRefused where the provider gives none any more. */
export type NewToken = () => Promise<string>;

/** An answer with status 200, or undefined for 404. Throws AccessRefused, ReachFailure and ProviderFault. */
export type AskFor = (url: URL) => Promise<Told | undefined>;

export interface OwnAnswers {
  readonly limited?: CountsAsLimited;
  /** Throws what a refusal means that is none of the right to read. */
  readonly refuse?: (told: Told) => void;
}

export function authorized(talk: Talk, newToken: NewToken, { limited, refuse }: OwnAnswers = {}): AskFor {
  let token: string | undefined;
  const ask = async (url: URL, triesBefore = 0): Promise<Answered> => {
    token ??= await newToken();
    const headers = { authorization: `Bearer ${token}` };
    return talk.ask({ method: 'GET', url, headers }, { limited, triesBefore });
  };
  return async (url) => {
    let told = await ask(url);
    if (told.status === 401) {
      token = undefined;
      if (told.tries >= mostTries) throw noTryLeft();
      told = await ask(url, told.tries);
    }
    refuse?.(told);
    return answerOf(told);
  };
}

/** Whether the provider would accept a new token is not known: that is no refusal. */
const noTryLeft = () => new ReachFailure('unavailable', 'The provider is in trouble at the moment.');

function answerOf(told: Told): Told | undefined {
  if (told.status === 200) return told;
  if (told.status === 404) return undefined;
  if (told.status === 401)
    throw new AccessRefused('provider_unauthorized', 'The provider does not accept its own token.');
  if (told.status === 403) throw new AccessRefused('provider_forbidden', 'The provider forbids the request.');
  throw protocolFault(`The provider answers with status ${told.status}.`);
}

/** Of an answer that is an object. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** An id of a row: a text with something in it, or a whole number. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** undefined for everything but a text with something in it. */
export function textOf(json: unknown, name: string): string | undefined {
  const value = memberOf(json, name);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
