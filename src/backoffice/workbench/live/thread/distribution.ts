// How often a table is asked about each value of a fact, and by the evidence of how many students.
import type { FactValue } from '#rules/rulesets/index.ts';
import type { AskedQuestions } from '../engine/asked-questions.ts';
import { binOf } from '../engine/bins.ts';
import type { DistributionCounts, DistributionQuestion } from '../question.ts';
import { readRecord } from './recorded-rules.ts';
import type { IndexedRun } from './students.ts';

export class FactDistribution {
  readonly #question: DistributionQuestion;
  readonly #questions: AskedQuestions;
  readonly #counts = new Map<FactValue, { questions: number; students: number }>();
  #smallest: number | null = null;
  #largest: number | null = null;

  constructor(question: DistributionQuestion, questions: AskedQuestions) {
    this.#question = question;
    this.#questions = questions;
  }

  /** Adds the questions of one student. */
  add({ record }: IndexedRun): void {
    const own = new Set<FactValue>();
    readRecord(record, {
      hit: () => {},
      question: (number) => {
        const { table, facts } = this.#questions.at(number);
        const value = table === this.#question.table ? facts[this.#question.fact] : undefined;
        if (value !== undefined) this.#count(value, own);
      },
    });
  }

  #count(value: FactValue, own: Set<FactValue>): void {
    if (typeof value === 'number') {
      this.#smallest = Math.min(this.#smallest ?? value, value);
      this.#largest = Math.max(this.#largest ?? value, value);
    }
    const bin = this.#binOf(value);
    const known = this.#counts.get(bin) ?? { questions: 0, students: 0 };
    known.questions += 1;
    if (!own.has(bin)) known.students += 1;
    own.add(bin);
    this.#counts.set(bin, known);
  }

  #binOf(value: FactValue): FactValue {
    const { cuts } = this.#question;
    return typeof value === 'number' && cuts !== null ? (cuts[binOf(cuts, value)] ?? value) : value;
  }

  counted(): Pick<DistributionCounts, 'counts' | 'smallest' | 'largest'> {
    const counts = [...this.#counts].map(([value, count]) => ({ value, ...count }));
    return { counts, smallest: this.#smallest, largest: this.#largest };
  }
}
