// The tasks of a thread of the live index. A count gives way to other tasks every few milliseconds, and ends when its time is up or
// the same person asks something else.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { simulation } from '#assessment/skill-status/index.ts';
import type { Services } from '#core/module/services.ts';
import { type LruCache, lruCache } from '#core/platform/pure/lru-cache.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { type RulePair, rulePairFrom, ruleTablesOf, scalesOf, simulationParts } from '../../impact/rule-pair.ts';
import type { DistributionCounts, DistributionQuestion, LiveCounts, LiveQuestion, LiveScope } from '../question.ts';
import { LiveCount } from './count.ts';
import { FactDistribution } from './distribution.ts';
import type { Part } from './reads.ts';
import { RecordedRules, recordedRulesKey } from './recorded-rules.ts';
import { IndexedStudents, type Loading } from './students.ts';

export type LiveServices = Pick<Services, 'capabilities' | 'db' | 'rules'>;

export interface LiveTasksOptions {
  readonly part: Part;
  readonly mostBytes: number;
}

/** How long a count computes before others may have the thread. */
const turnMs = 15;
/** How many counts are kept to go on with. */
const mostCounts = 16;

interface KeptCount {
  readonly count: LiveCount;
  readonly version: string;
  readonly baseline: RecordedRules;
}

export class LiveTasks {
  readonly #services: LiveServices;
  readonly #students: IndexedStudents;
  readonly #counts: LruCache<KeptCount> = lruCache(mostCounts);
  readonly #rulePairs: LruCache<RulePair> = lruCache(mostCounts);
  readonly #newest = new Map<number, string>();
  #baseline: RecordedRules | undefined;

  /** `elapsedMs`: the time by which what was read grows old. */
  constructor(services: LiveServices, options: LiveTasksOptions, elapsedMs = () => performance.now()) {
    this.#services = services;
    this.#students = new IndexedStudents({ db: services.db, ...options, elapsedMs });
  }

  async count(question: LiveQuestion): Promise<LiveCounts> {
    const untilMs = performance.now() + question.maxMs;
    const { userId, questionId } = question;
    this.#newest.set(userId, questionId);
    const bundle = await this.#services.rules.pinned(this.#services.db, question.before);
    const loading = this.#loadingFrom(question, bundle);
    const isUpToDate = await this.#students.update(loading, untilMs);
    const { count, rulePair } = this.#countOf(question, bundle, loading.baseline);
    const goesOn = () => !count.isDone && performance.now() < untilMs && this.#newest.get(userId) === questionId;
    do this.#countTurn(count, loading);
    while (goesOn() && (await nextTurn(true)));
    const state = this.#students.liveStateOf(question, count.of);
    return {
      ...{ ...state, isLoaded: state.isLoaded && isUpToDate, seen: count.seen, fault: count.fault },
      ...{ position: count.counted(), regions: count.regions(), students: count.listed },
      ...{ scales: scalesOf(rulePair), tables: ruleTablesOf(rulePair) },
    };
  }

  #countTurn(count: LiveCount, loading: Loading): void {
    const untilMs = performance.now() + turnMs;
    while (!count.isDone && performance.now() < untilMs) {
      count.countNext((student, run) => this.#students.record(student, run, loading));
    }
  }

  #countOf(question: LiveQuestion, bundle: RuleBundle, baseline: RecordedRules) {
    const rulePair = this.#rulePairOf(question, bundle);
    const version = this.#students.versionOf(question);
    const kept = this.#counts.get(question.questionId);
    if (kept && kept.version === version && kept.baseline === baseline) return { count: kept.count, rulePair };
    const students = this.#students.inScope(question);
    const unpack = (bytes: Uint8Array) => this.#students.packer.unpack(bytes);
    const count = new LiveCount({ question, rulePair, baseline, students, unpack });
    this.#counts.set(question.questionId, { count, version, baseline });
    return { count, rulePair };
  }

  #rulePairOf({ questionId, texts }: LiveQuestion, bundle: RuleBundle): RulePair {
    const known = this.#rulePairs.get(questionId);
    if (known) return known;
    const rulePair = rulePairFrom(bundle, texts, simulationParts(this.#services));
    this.#rulePairs.set(questionId, rulePair);
    return rulePair;
  }

  #loadingFrom(scope: LiveScope, bundle: RuleBundle): Loading {
    const key = recordedRulesKey(bundle);
    const baseline = this.#baseline?.key === key ? this.#baseline : new RecordedRules(bundle);
    this.#baseline = baseline;
    const yearIn = simulation.schoolYears(scope.now, baseline.pipeline);
    return { ...scope, baseline, schoolYearIn: (timeZone) => yearIn(timeZone).name };
  }

  async distribution(question: DistributionQuestion): Promise<DistributionCounts> {
    const untilMs = performance.now() + question.maxMs;
    const bundle = await this.#services.rules.pinned(this.#services.db, question.before);
    const loading = this.#loadingFrom(question, bundle);
    const isUpToDate = await this.#students.update(loading, untilMs);
    const students = this.#students.inScope(question);
    const counted = new FactDistribution(question, loading.baseline.questions);
    let seen = 0;
    do {
      const turnEndsMs = performance.now() + turnMs;
      for (; seen < students.length && performance.now() < turnEndsMs; seen += 1) {
        const { [seen]: student } = students;
        if (!student?.run) continue;
        this.#students.record(student, student.run, loading);
        counted.add(student.run);
      }
    } while (seen < students.length && performance.now() < untilMs && (await nextTurn(true)));
    const state = this.#students.liveStateOf(question, students.length);
    return { ...state, isLoaded: state.isLoaded && isUpToDate, seen, ...counted.counted() };
  }
}
