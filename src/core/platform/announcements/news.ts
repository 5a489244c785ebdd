// Tells every process of whom something is new, by number. What is new each process looks up by itself, once for all of them.
import type { Logger } from 'pino';
import { connectionOf, type Db, type Trx } from '../db.ts';
import { listenOnPostgres, listenOnRedis } from './listen.ts';
import { debounced, outermostOf, voiceOf } from './speak.ts';

/** `everybody`: some of it may have been missed. */
export type News = readonly number[] | 'everybody';

export interface NewsChannel {
  /** Once the transaction has committed. */
  tell(trx: Trx, ids: readonly number[]): void;
  /** Until what it answers is called. */
  listen(told: (news: News) => void): () => void;
  close(): Promise<void>;
}

interface NewsParts {
  readonly db: Db;
  readonly redisUrl: string | undefined;
  /** Where a session of PostgreSQL is one's own, if not at `db`. */
  readonly listenUrl: string | undefined;
  readonly log: Logger;
  /** A word in small letters. */
  readonly name: string;
}

/** Of one text: NOTIFY takes less than 8,000 bytes. */
const idsOfText = 400;

export function openNews({ db, redisUrl, listenUrl, log, name }: NewsParts): NewsChannel {
  const channel = redisUrl === undefined ? name : `literacy:${name}`;
  const voice = voiceOf({ db, redisUrl, channel, log });
  const waiting = new Set<number>();
  const announce = debounced(() => {
    const ids = [...waiting];
    waiting.clear();
    return voice.say(textsOf(ids));
  });
  const heard = (told: (news: News) => void) => (said: string | undefined) =>
    told(said === undefined ? 'everybody' : said.split(',').map(Number));
  return {
    tell(trx, ids) {
      if (ids.length === 0) return;
      const add = () => {
        for (const id of ids) waiting.add(id);
        announce.call();
      };
      outermostOf(trx).executionPromise.then(add, () => {});
    },
    listen(told) {
      const ears = { channel, told: heard(told), log };
      if (redisUrl !== undefined) return listenOnRedis(ears, redisUrl);
      const { connectionString, options } = connectionOf(db) as { connectionString: string; options?: string };
      return listenOnPostgres(ears, { connectionString: listenUrl ?? connectionString, ...(options && { options }) });
    },
    async close() {
      await announce.settled();
      voice.close();
    },
  };
}

function textsOf(ids: readonly number[]): string[] {
  const texts: string[] = [];
  for (let at = 0; at < ids.length; at += idsOfText) texts.push(ids.slice(at, at + idsOfText).join(','));
  return texts;
}
