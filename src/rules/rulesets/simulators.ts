// Simulators of rule changes, which capabilities declare: they compare, count and explain the outcomes under the rules
// in force and under a draft. The simulation itself knows only the families of the pipeline.
import type { TSchema } from 'typebox';
import { byName, type Capability } from '#core/module/capability.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction, Trx } from '#core/platform/db.ts';
import type { RuleBundle } from './engine/bundle.ts';
import type { DocumentName, Facts, RuleDocument } from './engine/document/document.ts';

/** One value under the rules in force, and one under the draft. */
export interface Sides<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Outcomes from worst to best, or outcomes that are numbers, of which more is better. */
export type Scale = readonly string[] | 'numbers';

/** The student whose outcome an exemplar shows; `ref` is the evaluated run or stored row. */
export interface SimulatedSubject {
  readonly studentId: number;
  readonly ref: string;
}

/** The outcomes of one subject under both rules. */
export interface OutcomePair {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

/** The outcome of a flag that is not raised. */
export const notRaised = 'none';

/**
 * Returns one pair for each flag that is raised on at least one side. Flags are independent, so each is compared with
 * itself.
 */
export const flagPairs = (subject: string, before: readonly string[], after: readonly string[]): OutcomePair[] =>
  [...new Set([...before, ...after])].map((flag) => ({
    subject,
    from: before.includes(flag) ? flag : notRaised,
    to: after.includes(flag) ? flag : notRaised,
  }));

/** A student in a grouping of a class. */
export interface GroupMember {
  /** Null for a student without a class. */
  readonly classId: number | null;
  /** Minimum size of a group. */
  readonly smallest: number;
  /** Keys of the student's groups; null when the student is in none. */
  readonly before: string | null;
  readonly after: string | null;
  /** Whether an open assignment that covers the student's need would no longer do so. */
  readonly isUncovered: boolean;
}

/** The counts of a report, to which a simulation adds its results. */
export interface SimulationTally {
  /**
   * Adds a student's pairs to a layer and returns whether one of them changes. Students are added in the order of their
   * ids.
   */
  addPairs(layer: string, of: SimulatedSubject, pairs: readonly OutcomePair[]): boolean;
  /**
   * Adds hits on one side. `name` is a table and a rule such as `bundle/recommendation BRR-01`, or another counted
   * name.
   */
  addHits(side: keyof Sides<unknown>, name: string, times?: number): void;
  addMember(member: GroupMember): void;
}

/** The counts over all students. */
export interface SimulationCounts {
  hitsOf(name: string): Sides<number>;
  readonly groups: {
    readonly formed: number;
    readonly dissolved: number;
    readonly changed: number;
    readonly uncovered: number;
  };
}

/** Days before `asOf` of which records are compared. */
export const simulatedDays = 28;

export type SimulationServices = Pick<Services, 'capabilities' | 'db' | 'itemBanks' | 'rules'>;

/** Students of one organization whose outcomes are compared. */
export interface SimulatedStudents {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** ISO 8601 instant as of which data are read. */
  readonly asOf: string;
  /** Their school years, each from its first instant. */
  readonly years: readonly { readonly studentId: number; readonly schoolYear: string; readonly from: string }[];
}

/** A student's newest run. `Result` in the types below is the evaluating capability's own type of it. */
export interface SimulatedResult {
  readonly runId: string;
  readonly studentId: number;
  readonly grade: number;
  readonly contextReview: boolean;
}

/** Records of the last days. */
export interface SimulatedRecords {
  readonly organizationId: string;
  readonly studentIds: readonly number[];
  /** Records that are about no student are compared as well. */
  readonly withoutStudent: boolean;
  /** ISO 8601: records after the first instant, up to the second. */
  readonly since: string;
  readonly asOf: string;
}

/** A transition of a layer that needs an exemplar, with the student whose outcomes it shows. */
export interface ExemplarSlot extends SimulatedSubject, OutcomePair {
  readonly organizationId: string;
  readonly layer: string;
}

interface ExplainedSide {
  readonly ruleId: string | null;
  readonly outcome: string;
  /** The facts that the table evaluated; null where no table was evaluated. */
  readonly facts: Facts | null;
}

/** Both outcomes of a slot with their reasons. */
export interface ExplainedSlot extends Sides<ExplainedSide> {
  /** The id of the stored row with the outcome in force. */
  readonly stampId: string;
  /** The table whose rules are traced. */
  readonly table?: DocumentName;
}

/** Explains the exemplars of one organization. No transaction is open. */
export interface ExemplarSources<Result extends SimulatedResult = SimulatedResult> {
  readonly organizationId: string;
  readonly asOf: string;
  readonly services: SimulationServices;
  readonly reading: ReadTransaction;
  /** Runs by their ids, evaluated under both rules. */
  resultsOf(runIds: readonly string[]): Promise<readonly Result[]>;
}

/** Returns undefined for a slot whose stored row was deleted since. */
type Explained = (slot: ExemplarSlot) => ExplainedSlot | undefined;

/** One simulator with both rules compiled. */
interface Simulation<Result extends SimulatedResult = SimulatedResult> {
  /** By layer; the changes of a layer without a scale are neither better nor worse. */
  readonly scales: Readonly<Record<string, Scale>>;
  /** The tables whose hits are reported, in the order of evaluation. */
  readonly tables?: readonly DocumentName[];
  /** Ids of changed constants whose effect is not in the report. */
  readonly notSimulated?: readonly string[];
  /** The simulator's own section of the report. */
  sectionOf?(counts: SimulationCounts): object;
  /** Explains slots of this simulator's layers, of at most a hundred students. */
  explain(sources: ExemplarSources<Result>, slots: readonly ExemplarSlot[]): Promise<Explained>;
}

/** Compares the data read for students. Both functions return the students whose outcomes change. */
export interface ResultComparison<Result extends SimulatedResult = SimulatedResult> {
  /** Compares all students at once, including those without a run. */
  compareStored?(tally: SimulationTally): Iterable<number>;
  /** Compares one student with a run. */
  compareResult?(tally: SimulationTally, result: Result): boolean;
}

export interface ResultSimulation<Result extends SimulatedResult = SimulatedResult> extends Simulation<Result> {
  /** Reads the compared data in bulk. The transaction ends before the comparison. */
  read(trx: Trx, services: SimulationServices, of: SimulatedStudents): Promise<ResultComparison<Result>>;
}

export interface RecordSimulation extends Simulation {
  /** Whether some of the records are about no student. */
  readonly withoutStudent?: boolean;
  /** Returns for each student with records whether one of them changes. */
  compare(
    tally: SimulationTally,
    reading: ReadTransaction,
    services: SimulationServices,
    of: SimulatedRecords,
  ): Promise<ReadonlyMap<number, boolean>>;
}

export interface SimulatedBundles extends Sides<RuleBundle> {
  /** The draft and the documents that go with it. */
  readonly documents: readonly RuleDocument[];
}

interface SimulatorPart {
  /** Layers of the report, in their order. */
  readonly layers: readonly string[];
  /** Orders layers and sections of a report. */
  readonly rank: number;
  /** `family/key`: whether drafts of this document are compared. */
  simulates(document: string): boolean;
  /** The section is null in reports of other drafts. */
  readonly section?: { readonly name: string; readonly schema: TSchema };
}

/** Compares outcomes that are derived from students' results. A draft of these rules also evaluates runs. */
export interface ResultSimulator<Result extends SimulatedResult = SimulatedResult> extends SimulatorPart {
  readonly compares: 'results';
  /** Compiles both rules. Throws BundleError or RangeError for rules that cannot be read. */
  prepare(rules: SimulatedBundles): ResultSimulation<Result>;
}

/** Compares the treatment of stored records. A draft of these rules alone changes no result, so no run is evaluated. */
export interface RecordSimulator extends SimulatorPart {
  readonly compares: 'records';
  /** Throws as the `prepare` of a `ResultSimulator`. */
  prepare(rules: SimulatedBundles): RecordSimulation;
}

export type Simulator = ResultSimulator | RecordSimulator;

declare module '#core/module/capability.ts' {
  interface Capability {
    readonly simulators?: readonly Simulator[];
  }
}

/** Returns all simulators by rank. Throws RangeError when two of them declare one layer or section. */
export function simulatorsOf(capabilities: readonly Capability[]): readonly Simulator[] {
  const all = capabilities.flatMap(({ simulators = [] }) => simulators);
  const names = all.flatMap(({ layers, section }) => [...layers, ...(section ? [section.name] : [])]);
  byName('layers and sections of simulations', names, (name) => name);
  return all.toSorted((one, other) => one.rank - other.rank);
}
