// Collects calls of many callers and answers them in batches. A call is answered only by a batch that begins after it, so that no
// caller receives a state from before its call.

export interface BatchLimits {
  /** Time between the beginnings of two batches. The first call after a pause does not wait. */
  readonly intervalMs: number;
  /** Calls of one batch. */
  readonly maxSize: number;
  /** Batches that run at once: a slow batch does not hold up the next. */
  readonly concurrency: number;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

export class Batcher<Input, Output> {
  readonly #work: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  readonly #limits: BatchLimits;
  #waiting: Waiting<Input, Output>[] = [];
  #underWay = 0;
  #nextAtMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `work` returns one output for each input, in the same order; if it throws, every call of the batch fails. */
  constructor(work: (inputs: readonly Input[]) => Promise<readonly Output[]>, limits: BatchLimits) {
    this.#work = work;
    this.#limits = limits;
  }

  run(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#timer || this.#waiting.length === 0 || this.#underWay >= this.#limits.concurrency) return;
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, this.#nextAtMs - performance.now()));
  }

  #begin(): void {
    this.#timer = undefined;
    this.#nextAtMs = performance.now() + this.#limits.intervalMs;
    this.#underWay += 1;
    const batch = this.#waiting.splice(0, this.#limits.maxSize);
    void this.#answer(batch).finally(() => {
      this.#underWay -= 1;
      this.#schedule();
    });
    this.#schedule();
  }

  async #answer(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await this.#work(batch.map(({ input }) => input));
      if (outputs.length !== batch.length) throw new RangeError('not every question was answered');
      for (const [at, { resolve }] of batch.entries()) resolve(outputs[at] as Output);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
