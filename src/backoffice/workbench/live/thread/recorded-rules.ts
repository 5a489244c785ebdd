// The rules in force with a record of every question that they are asked: what students would have to be asked anew is known from it.
import { changesStatuses, simulation } from '#assessment/skill-status/index.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { type Decision, type Facts, pinBundle, type RuleBundle, type Table } from '#rules/rulesets/index.ts';
import { compareStudent } from '../../impact/engine/compare-student.ts';
import { addHits, emptyPosition } from '../../impact/engine/position.ts';
import { AskedQuestions } from '../engine/asked-questions.ts';
import type { EvidenceOfRun } from '../engine/packed-evidence.ts';
import { NumberReader, NumberWriter } from '../engine/varints.ts';

export interface GradeAndReview {
  readonly grade: number;
  readonly contextReview: boolean;
}

export class RecordedRules {
  /** Equal for equal rules. */
  readonly key: string;
  readonly questions = new AskedQuestions();
  /** Questions that are asked of all students alike, when the rules are compiled. */
  readonly shared: ReadonlySet<number>;
  readonly #rules: simulation.SimulatedRules;
  readonly #ruleNames: string[] = [];
  readonly #ruleNumbers = new Map<string, number>();
  #asked: number[] = [];

  constructor(bundle: RuleBundle) {
    this.key = recordedRulesKey(bundle);
    const observe = (table: Table, facts: Facts, hits: readonly Decision[]) => {
      this.#asked.push(this.questions.numberOf(table, facts, hits));
      return hits;
    };
    this.#rules = simulation.simulatedRulesOf(pinBundle(bundle.documents, observe));
    this.shared = new Set(this.#asked);
  }

  get pipeline(): simulation.SimulatedRules['pipeline'] {
    return this.#rules.pipeline;
  }

  /** Returns how often each rule answers for this student, and the questions that are asked, packed. */
  recordOf(evidence: EvidenceOfRun, { grade, contextReview }: GradeAndReview, asOf: string): Uint8Array {
    this.#asked = [];
    this.#rules.takeHits();
    const evaluation = simulation.evaluateRun(evidence, { grade, contextReview, asOf }, this.#rules.pipeline);
    const hits = this.#hitsOf(evaluation, grade);
    const writer = new NumberWriter();
    writer.add(hits.size);
    for (const [name, times] of hits) {
      writer.add(this.#ruleNumber(name));
      writer.add(times);
    }
    for (const number of this.#asked) writer.add(number);
    return writer.bytes();
  }

  /** Counts as a student is counted whose answers stay as they are. */
  #hitsOf(evaluation: ReturnType<typeof simulation.evaluateRun>, grade: number): ReadonlyMap<string, number> {
    const position = emptyPosition(simulation.layerNames);
    const answers = simulation.layerAnswers(evaluation);
    compareStudent(position, {
      ...{ organizationId: '', studentId: 0, runId: '', schoolId: null, grade, isFlagged: false, isOther: false },
      ...{ before: answers, after: answers },
    });
    for (const [name, times] of this.#rules.takeHits()) addHits(position, 'before', name, times);
    return new Map(Object.entries(position.hits).map(([name, { before }]) => [name, before]));
  }

  #ruleNumber(name: string): number {
    const known = this.#ruleNumbers.get(name);
    if (known !== undefined) return known;
    this.#ruleNames.push(name);
    this.#ruleNumbers.set(name, this.#ruleNames.length - 1);
    return this.#ruleNames.length - 1;
  }

  ruleNameOf(number: number): string {
    return this.#ruleNames[number] ?? '';
  }

  /** Whether the rule gives responses their codes. */
  isOfResponses(number: number): boolean {
    return this.ruleNameOf(number).startsWith('adr/adr ');
  }
}

/** The engine’s own documents: others change no answer. */
export function recordedRulesKey({ versions }: RuleBundle): string {
  const own = Object.entries(versions).filter(([name]) => changesStatuses(name));
  return canonicalJson(Object.fromEntries(own));
}

/** Reads what `recordOf` has written. */
export function readRecord(
  bytes: Uint8Array,
  { hit, question }: { hit(rule: number, times: number): void; question(number: number): void },
): void {
  const reader = new NumberReader(bytes);
  for (let left = reader.next(); left > 0; left -= 1) hit(reader.next(), reader.next());
  while (!reader.isAtEnd) question(reader.next());
}
