// Limits the requests that one person may have running in this process: a burst of one person must not take the connections, the
// threads and the processor time that all share. The state is in memory because a request runs in one process.
import type { EventEmitter } from 'node:events';
import { AppError } from '../../platform/errors.ts';

export interface PersonLimits {
  /** The running requests of one person. */
  readonly most: number;
  /** How many of these may be heavy (`Route.heavy`). */
  readonly mostHeavy: number;
  /** How many more may wait, in the order of their arrival. */
  readonly mostWaiting: number;
  /** How long a request may wait. */
  readonly waitMs: number;
}

/** Contract 11, "One person". */
const contractLimits: PersonLimits = { most: 8, mostHeavy: 4, mostWaiting: 20, waitMs: 2_000 };

/** Called once, when the request has been answered. */
export type Leave = () => void;

interface Waiting {
  readonly heavy: boolean;
  begin(): void;
}

interface Person {
  underWay: number;
  heavy: number;
  readonly waiting: Waiting[];
}

export class ConcurrencyLimits {
  readonly #limits: PersonLimits;
  readonly #people = new Map<number, Person>();

  constructor(limits: Partial<PersonLimits> = {}) {
    this.#limits = { ...contractLimits, ...limits };
  }

  /**
   * Resolves when the request may begin. Throws RATE_LIMITED `busy` if too many are waiting or it has waited too long. A request whose
   * client disconnects (`response` emits `close`) stops waiting; one that has begun counts until its work has ended.
   */
  enter(userId: number, { heavy }: { readonly heavy: boolean }, response: EventEmitter): Promise<Leave> {
    const person = this.#personOf(userId);
    if (this.#fits(person, heavy)) return Promise.resolve(this.#begin(userId, person, heavy));
    if (person.waiting.length >= this.#limits.mostWaiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        response.removeListener('close', giveUp);
        person.waiting.splice(person.waiting.indexOf(waiting), 1);
      };
      const giveUp = () => {
        done();
        reject(busy());
      };
      const begin = () => {
        done();
        resolve(this.#begin(userId, person, heavy));
      };
      const waiting: Waiting = { heavy, begin };
      const timer = setTimeout(giveUp, this.#limits.waitMs);
      response.once('close', giveUp);
      person.waiting.push(waiting);
    });
  }

  #personOf(userId: number): Person {
    const known = this.#people.get(userId);
    if (known) return known;
    const person = { underWay: 0, heavy: 0, waiting: [] };
    this.#people.set(userId, person);
    return person;
  }

  #fits({ underWay, heavy: heavyOnes }: Person, heavy: boolean): boolean {
    return underWay < this.#limits.most && (!heavy || heavyOnes < this.#limits.mostHeavy);
  }

  #begin(userId: number, person: Person, heavy: boolean): Leave {
    person.underWay += 1;
    if (heavy) person.heavy += 1;
    return () => {
      person.underWay -= 1;
      if (heavy) person.heavy -= 1;
      person.waiting.find((next) => this.#fits(person, next.heavy))?.begin();
      if (person.underWay === 0) this.#people.delete(userId);
    };
  }
}

const busy = () =>
  new AppError('RATE_LIMITED', 'You have too many requests under way. Wait for their answers.', {
    details: [{ field: '', issue: 'busy' }],
    retryAfter: 1,
  });
