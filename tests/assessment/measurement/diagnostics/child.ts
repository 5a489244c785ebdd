// A child who takes diagnostics over HTTP, with the responses of the service.
import { itemBanks } from '#assessment/content/items/banks.ts';
import { signIn } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';
import type { Person } from '../../../harness/world.ts';

export interface SessionBody {
  sessionId: string;
  status: string;
  formCode: string;
  partIndex: number;
  partCount: number;
  activeMsUsed: number;
  activeMsCap: number;
  progress: { answered: number; maxItems: number };
  resumed: boolean;
}
export interface ServedBody {
  servedItemId: string;
  itemId: string;
  seq: number;
  prompt: { text: string; speech: string; audioUrl: string | null; passage: string | null };
  options: { index: number; text: string; speech: string | null; audioUrl: string | null }[];
  expectedSeconds: number;
}
export interface NextBody {
  outcome: string;
  served: ServedBody | null;
  progress: { answered: number; maxItems: number };
}
export interface ErrorBody {
  code: string;
  details?: { field: string; issue: string }[];
}

/** Slightly less than the lifetime of an access token. */
const tokenLifeMs = 890_000;
const bank = await itemBanks().current();

/** The key of a served item, which tests may see and students may not. */
export function rightIndex(served: ServedBody): number {
  const item = bank.find(served.itemId);
  if (!item) throw new Error(`no item ${served.itemId}`);
  return item.correctIndex;
}

export const wrongIndex = (served: ServedBody): number => (rightIndex(served) + 1) % served.options.length;

export function child(app: TestApp, person: Person) {
  const base = '/api/diagnostic-sessions';
  let token = person.token;
  let signedInAtMs = app.clock.now().getTime();
  /** Signs in again when the clock has been moved past the token's life. */
  const options = async () => {
    if (app.clock.now().getTime() - signedInAtMs >= tokenLifeMs) {
      token = await signIn(app, person);
      signedInAtMs = app.clock.now().getTime();
    }
    return { token };
  };
  const post = async <Body>(path: string, body: object) => app.post<Body>(base + path, body, await options());
  return {
    start: (body: object = {}) => post<SessionBody>('/start', body),
    read: async (id: string) => app.get<SessionBody>(`${base}/${id}`, await options()),
    next: (id: string) => post<NextBody>(`/${id}/next-item`, {}),
    answer: (id: string, body: object) => post(`/${id}/responses`, body),
    events: (id: string, events: object[]) => post(`/${id}/events`, { events }),
    finish: (id: string) => post(`/${id}/finish`, {}),
    /** Serves and answers `count` items, each after `thinkMs`. */
    async answerMany(id: string, count: number, choose: (served: ServedBody) => number = rightIndex, thinkMs = 3000) {
      for (let done = 0; done < count; done++) {
        const { body } = await this.next(id);
        if (!body.served) return body.outcome;
        app.clock.advance(thinkMs);
        await this.answer(id, {
          servedItemId: body.served.servedItemId,
          selectedOptionIndex: choose(body.served),
          latencyMs: thinkMs,
        });
      }
      return 'item_served';
    },
  };
}
