// Questions of many callers are put together and answered by one piece of work: each waits for one that begins after it was
// asked, so that nobody is told what was true before.

export interface GatheringLimits {
  /** Between the beginnings of two pieces of work. The first question after a pause waits for nothing. */
  readonly everyMs: number;
  /** Questions of one piece of work. */
  readonly most: number;
  /** Pieces under way at once: one that takes long does not hold up the others. */
  readonly atOnce: number;
}

interface Waiting<Question, Told> {
  readonly question: Question;
  readonly resolve: (told: Told) => void;
  readonly reject: (error: unknown) => void;
}

export class Gathering<Question, Told> {
  readonly #work: (questions: readonly Question[]) => Promise<readonly Told[]>;
  readonly #limits: GatheringLimits;
  #waiting: Waiting<Question, Told>[] = [];
  #underWay = 0;
  #nextAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `work` answers one for each question, in their order; where it throws, all of them are told so. */
  constructor(work: (questions: readonly Question[]) => Promise<readonly Told[]>, limits: GatheringLimits) {
    this.#work = work;
    this.#limits = limits;
  }

  ask(question: Question): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#timer || this.#waiting.length === 0 || this.#underWay >= this.#limits.atOnce) return;
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, this.#nextAtMs - performance.now()));
  }

  #begin(): void {
    this.#timer = undefined;
    this.#nextAtMs = performance.now() + this.#limits.everyMs;
    this.#underWay += 1;
    const asked = this.#waiting.splice(0, this.#limits.most);
    void this.#answer(asked).finally(() => {
      this.#underWay -= 1;
      this.#schedule();
    });
    this.#schedule();
  }

  async #answer(asked: readonly Waiting<Question, Told>[]): Promise<void> {
    try {
      const told = await this.#work(asked.map(({ question }) => question));
      if (told.length !== asked.length) throw new RangeError('not every question was answered');
      for (const [at, { resolve }] of asked.entries()) resolve(told[at] as Told);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}
