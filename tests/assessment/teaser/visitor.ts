// A visitor of the teaser with a client address of its own, and the responses of the service.

import { loadTeaserItems } from '#assessment/content/teaser/files.ts';
import { newId } from '#core/platform/ids.ts';
import type { TestApp } from '../../harness/http.ts';

export interface StartedBody {
  readonly token: string;
  readonly sessionId: string;
  readonly subSkillId: string;
  readonly items: readonly { readonly id: string; readonly options: readonly { readonly index: number }[] }[];
}
export interface ResultBody {
  readonly band: string;
  readonly bandLabelAr: string;
  readonly bandDescriptionAr: string;
  readonly disclaimerAr: string;
}
export interface ErrorBody {
  readonly code: string;
  readonly retryAfter?: number;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
}

/** One trusted proxy, so that `X-Forwarded-For` names the visitor. */
export const behindProxy = { TRUST_PROXY: '1', IP_HASH_SALT: 'test salt', RATE_LIMIT_IP_PER_MINUTE: '1000000' };

const items = await loadTeaserItems(2);

/** Returns answers of which the first `right` are right and the others wrong. */
export function answers(started: StartedBody, right: number) {
  return started.items.map(({ id, options }, at) => {
    const key = items.get(id)?.correctIndex ?? 0;
    return { itemId: id, selectedOptionIndex: at < right ? key : (key + 1) % options.length };
  });
}

/** Returns an unused address. */
export function visitor(app: TestApp, address: string = newId()) {
  const options = { headers: { 'x-forwarded-for': address } };
  return {
    address,
    start: <Body = StartedBody>(body: object = { grade: 1 }) => app.post<Body>('/api/teaser/sessions', body, options),
    finish: <Body = ResultBody>(id: string, body: object) =>
      app.post<Body>(`/api/teaser/sessions/${id}/finish`, body, options),
    lead: <Body = undefined>(body: object) => app.post<Body>('/api/teaser/leads', body, options),
  };
}
