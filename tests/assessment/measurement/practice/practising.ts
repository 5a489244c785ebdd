// A child who finishes a diagnostic and practises over HTTP.

import { itemBanks } from '#assessment/content/items/banks.ts';
import type { Item } from '#assessment/content/items/engine/item.ts';
import { buildStudent, signIn } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';
import type { Tenant } from '../../../harness/world.ts';
import { child, rightIndex, type ServedBody, wrongIndex } from '../diagnostics/child.ts';

export interface QueueBody {
  queueId: string;
  status: string;
  answered: number;
  itemBudget: number;
}
export interface PracticeNext {
  outcome: string;
  served: ServedBody | null;
  support: { kind: string; textAr: string } | null;
}
export interface FeedbackBody {
  accepted: boolean;
  feedbackCode: string;
  remaining: number;
}

const bank = await itemBanks().current();
const base = '/api/practice/queues';
/** Slightly less than the lifetime of an access token. */
const tokenLifeMs = 890_000;
/** Answers that open three sub-skills and finish them, when all are right or all are wrong. */
const threeSubSkills = 12;

/** The bank's row of a served item, which tests may see and students may not. */
export function itemOf(served: ServedBody): Item {
  const item = bank.find(served.itemId);
  if (!item) throw new Error(`no item ${served.itemId}`);
  return item;
}

export const right = rightIndex;
export const wrong = wrongIndex;

/** Returns an option that reveals the pattern if the item is designed to detect it; else the right one. */
export const showing =
  (pattern: string) =>
  (served: ServedBody): number => {
    const { designedPatterns, options } = itemOf(served);
    const option = designedPatterns.includes(pattern) && options.find(({ microPattern }) => microPattern === pattern);
    return option ? option.index : rightIndex(served);
  };

export async function practisingChild(app: TestApp, tenant: Tenant) {
  const user = await buildStudent(app.database.owner, tenant.classRow);
  const person = { ...user, token: await signIn(app, user) };
  const diagnostic = child(app, person);
  let { token } = person;
  let signedInAtMs = app.clock.now().getTime();
  /** Signs in again when the clock has been moved past the token's life. */
  const options = async () => {
    if (app.clock.now().getTime() - signedInAtMs >= tokenLifeMs) {
      token = await signIn(app, user);
      signedInAtMs = app.clock.now().getTime();
    }
    return { token };
  };
  const post = async <Body>(path: string, body: object) => app.post<Body>(base + path, body, await options());
  const practice = {
    seed: (sessionId: string) => post<QueueBody>(`/seed/${sessionId}`, {}),
    current: async () => app.get<{ queue: QueueBody | null }>(`${base}/current`, await options()),
    next: () => post<PracticeNext>('/current/next-item', {}),
    submit: (body: object) => post<FeedbackBody>('/current/submit-response', body),
    /** Answers the next item after `thinkMs`; returns the served item. */
    async step(choose: (served: ServedBody) => number = rightIndex, thinkMs = 3000): Promise<PracticeNext> {
      const { body } = await this.next();
      if (!body.served) return body;
      app.clock.advance(thinkMs);
      const { servedItemId } = body.served;
      await this.submit({ servedItemId, selectedOptionIndex: choose(body.served), latencyMs: thinkMs });
      return body;
    },
    /** Skips the next item. */
    async passOver(thinkMs = 3000): Promise<void> {
      const { body } = await this.next();
      app.clock.advance(thinkMs);
      await this.submit({ servedItemId: body.served?.servedItemId, skipped: true, latencyMs: thinkMs });
    },
    /** Answers until the queue ends. */
    async workOff(choose?: (served: ServedBody) => number): Promise<PracticeNext[]> {
      const served: PracticeNext[] = [];
      for (;;) {
        const body = await this.step(choose);
        if (body.outcome === 'queue_complete') return served;
        served.push(body);
      }
    },
  };
  /** A finished diagnostic of three sub-skills with the answers of `choose`. */
  async function finishDiagnostic(choose: (served: ServedBody) => number = wrongIndex): Promise<string> {
    const { body } = await diagnostic.start();
    await diagnostic.answerMany(body.sessionId, threeSubSkills, choose);
    await diagnostic.finish(body.sessionId);
    return body.sessionId;
  }
  return { user, token: async () => (await options()).token, diagnostic, finishDiagnostic, ...practice };
}
