// Counts for whom proposed rules would change something. Each student who could change is evaluated by the code of the impact job;
// the others are counted as they are. A count goes on where it ended when the same question comes again.
import { simulation } from '#assessment/skill-status/index.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { documentName, FactError, type FindingCode, isTable, NoDecisionError } from '#rules/rulesets/index.ts';
import { compareStudent } from '../../impact/engine/compare-student.ts';
import { addHits, addStudent, emptyPosition, type ImpactPosition } from '../../impact/engine/position.ts';
import { pairsOf } from '../../impact/engine/tally.ts';
import type { RulePair } from '../../impact/rule-pair.ts';
import { ProposedAnswers } from '../engine/asked-questions.ts';
import type { EvidenceOfRun } from '../engine/packed-evidence.ts';
import { type LiveQuestion, type LiveStudent, mostListed } from '../question.ts';
import { type RecordedRules, readRecord } from './recorded-rules.ts';
import type { IndexedRun, IndexedStudent } from './students.ts';

export interface CountParts {
  readonly question: LiveQuestion;
  readonly rulePair: RulePair;
  readonly baseline: RecordedRules;
  readonly students: readonly IndexedStudent[];
  readonly unpack: (bytes: Uint8Array) => EvidenceOfRun;
}

export class LiveCount {
  readonly position: ImpactPosition = emptyPosition(simulation.layerNames);
  readonly listed: LiveStudent[] = [];
  fault: FindingCode | null = null;
  seen = 0;
  readonly #parts: CountParts;
  readonly #answers: ProposedAnswers;
  /** The proposed rules could change every student. */
  readonly #isAboutAll: boolean;
  /** Hits of students who were not evaluated, by number of the rule. */
  readonly #hits: number[] = [];
  readonly #studentsIn: number[] = [];

  constructor(parts: CountParts) {
    this.#parts = parts;
    const { rulePair, baseline } = parts;
    const tables = rulePair.documents.filter(isTable).map(documentName);
    this.#answers = new ProposedAnswers(rulePair.after.bundle, tables);
    const { questions, shared } = baseline;
    const sharedChange = [...shared].some((number) => !this.#answers.verdictOn(questions, number).isSame);
    this.#isAboutAll = sharedChange || !areThresholdsAlike(rulePair);
  }

  get of(): number {
    return this.#parts.students.length;
  }

  get isDone(): boolean {
    return this.fault !== null || this.seen === this.of;
  }

  /** Counts the next student. `toRecord` brings what the rules in force answer up to date. */
  countNext(toRecord: (student: IndexedStudent, run: IndexedRun) => void): void {
    const student = this.#parts.students[this.seen];
    this.seen += 1;
    if (!student?.run) return;
    toRecord(student, student.run);
    if (!this.#couldChange(student.run)) {
      this.#countSame(student, student.run);
      return;
    }
    try {
      this.#evaluate(student, student.run);
    } catch (error) {
      this.fault = faultOf(error);
    }
  }

  /** Also counts the student in the regions that one of the questions falls in. */
  #couldChange({ record }: IndexedRun): boolean {
    const { questions } = this.#parts.baseline;
    let isChanged = this.#isAboutAll;
    const regions = new Set<number>();
    readRecord(record, {
      hit: () => {},
      question: (number) => {
        const verdict = this.#answers.verdictOn(questions, number);
        if (verdict.isSame) return;
        isChanged = true;
        for (const region of verdict.regions) regions.add(region);
      },
    });
    for (const region of regions) this.#studentsIn[region] = (this.#studentsIn[region] ?? 0) + 1;
    return isChanged;
  }

  /** Adds the hits of a student that stay as they are. */
  #addHits({ record }: IndexedRun, isKept: (rule: number) => boolean): void {
    readRecord(record, {
      hit: (rule, times) => {
        if (isKept(rule)) this.#hits[rule] = (this.#hits[rule] ?? 0) + times;
      },
      question: () => {},
    });
  }

  #countSame({ member: { schoolId } }: IndexedStudent, run: IndexedRun): void {
    addStudent(this.position, { schoolId, grade: run.grade, change: 'same' });
    this.#addHits(run, () => true);
  }

  #evaluate({ studentId, member }: IndexedStudent, run: IndexedRun): void {
    const { question, rulePair, baseline, unpack } = this.#parts;
    const { grade, contextReview, evidence } = run;
    const input = unpack(evidence);
    const situation = { grade, contextReview, asOf: question.now };
    const { before, after } = rulePair;
    before.takeHits();
    after.takeHits();
    const now = withoutCodes(simulation.evaluateRun(input, situation, before.pipeline));
    const then = withoutCodes(simulation.evaluateRun(input, situation, after.pipeline));
    const answers = { before: simulation.layerAnswers(now, []), after: simulation.layerAnswers(then, []) };
    const { organizationId, schoolId, classId } = member;
    compareStudent(this.position, {
      ...{ organizationId, studentId, runId: '', schoolId, grade, isFlagged: false },
      ...{ isOther: !simulation.isSameResult(now, then), ...answers },
    });
    for (const side of ['before', 'after'] as const) {
      for (const [name, times] of rulePair[side].takeHits()) addHits(this.position, side, name, times);
    }
    this.#addHits(run, (rule) => baseline.isOfResponses(rule));
    if (question.students === null || this.listed.length >= mostListed) return;
    const { layer, from, to } = question.students;
    for (const pair of pairsOf(answers.before[layer], answers.after[layer])) {
      if (pair.from !== from || pair.to !== to || this.listed.length >= mostListed) continue;
      this.listed.push({ studentId, subject: pair.subject, classId, schoolId });
    }
  }

  /** Returns the counts so far, with the hits of the students who were not evaluated. */
  counted(): ImpactPosition {
    const hits = Object.fromEntries(Object.entries(this.position.hits).map(([name, count]) => [name, { ...count }]));
    const whole = { ...this.position, hits };
    for (const [rule, times] of this.#hits.entries()) {
      if (times === undefined) continue;
      const name = this.#parts.baseline.ruleNameOf(rule);
      addHits(whole, 'before', name, times);
      addHits(whole, 'after', name, times);
    }
    return whole;
  }

  regions() {
    return this.#answers.regions.map((region, at) => ({ ...region, students: this.#studentsIn[at] ?? 0 }));
  }
}

type Evaluation = ReturnType<typeof simulation.evaluateRun>;

/** The codes of responses are equal on both sides: rules that change them need a job. They are most of what is compared. */
const withoutCodes = (evaluation: Evaluation): Evaluation => ({ ...evaluation, coded: [] });

/** Numbers of the thresholds are compared with quantities that no table asks for. */
const areThresholdsAlike = ({ before, after }: RulePair): boolean =>
  canonicalJson(before.pipeline.thresholds) === canonicalJson(after.pipeline.thresholds);

/** Rethrows what is no fault of the proposed rules. */
function faultOf(error: unknown): FindingCode {
  if (!simulation.isUnfit(error)) throw error;
  if (error instanceof NoDecisionError) return 'GAP';
  return error instanceof FactError ? 'FACT' : 'VOCABULARY_FOREIGN';
}
