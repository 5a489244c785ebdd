// The items of practice queues and warm-ups, and the summary of a warm-up's events.

import type { GradeBand } from '#assessment/content/index.ts';
import { nextPracticeStep, type PracticeState } from '#assessment/measurement/practice/engine/next-item.ts';
import { chooseTargets, type Estimate } from '#assessment/measurement/practice/engine/targets.ts';
import { readPracticeValues } from '#assessment/measurement/practice/engine/values.ts';
import { readMeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import { endedAs, type WarmupEventRow, warmupSummaryOf } from '#assessment/measurement/warmup/engine/course.ts';
import { planWarmup, type WarmupTarget, warmupTargetsOf } from '#assessment/measurement/warmup/engine/plan.ts';
import { type AnswerEvent, timedAnswers } from '#assessment/measurement/warmup/engine/training.ts';
import { durationMs, readWarmupValues } from '#assessment/measurement/warmup/engine/values.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { compileCatalogue } from '#rules/catalogue/index.ts';
import { banks, currentBank, letters } from './diagnostics.ts';
import { type RecordedEngine, recorded } from './engine.ts';

export const subSkillsOf = (band: GradeBand): string[] => [
  ...new Set(currentBank.items.filter(({ gradeBand }) => gradeBand === band).map(({ subSkillCode }) => subSkillCode)),
];
const bands: readonly GradeBand[] = ['G12', 'G34'];
export const bankVersion = banks.currentVersion;

interface Queue {
  readonly bankVersion: number;
  readonly band: GradeBand;
  readonly estimates: readonly Estimate[];
  readonly answers: string;
}

const practice: RecordedEngine<Queue> = {
  name: 'practice',
  questions: () =>
    bands.flatMap((band) =>
      [1, 2, 3].map((seed) => {
        const next = seededNumbers(seed);
        const estimates = subSkillsOf(band)
          .slice(seed * 2, seed * 2 + 6)
          .map((subSkillCode, at) => {
            const isOpen = (at + seed) % 4 === 0;
            const theta = Math.round((next() * 5 - 3) * 1e4) / 1e4;
            return { subSkillCode, theta: isOpen ? null : theta, se: isOpen ? null : 0.2 + at / 10 };
          });
        return { id: `${band} ${seed}`, input: { bankVersion, band, estimates, answers: letters(seed, 40, 0.6) } };
      }),
    ),
  compile: (bundle) => {
    const values = readMeasurementValues(bundle);
    const practiceValues = readPracticeValues(bundle);
    const order = compileCatalogue(bundle).subSkills.map(({ code }) => code);
    return async ({ band, estimates, answers, ...input }) => {
      const bank = await banks.version(input.bankVersion);
      const targets = chooseTargets(estimates, order, practiceValues);
      const { itemBudget } = practiceValues;
      let state: PracticeState = {
        ...{ targets, itemBudget, band, seenItemIds: new Set(), closedSubSkills: new Set(), served: [] },
      };
      const outcomes: string[] = [];
      for (const letter of answers) {
        const step = nextPracticeStep(state, { bank, values });
        outcomes.push(step.outcome === 'item_served' ? `${step.item.id} ${step.tier}` : step.outcome);
        if (step.outcome === 'no_eligible_item') {
          state = { ...state, closedSubSkills: new Set([...state.closedSubSkills, step.subSkillCode]) };
        }
        if (step.outcome === 'queue_complete') break;
        if (step.outcome !== 'item_served') continue;
        const seq = state.served.length + 1;
        const answer = { selectedOptionIndex: letter === 'S' ? null : 0, correct: letter === 'R' };
        const { id: itemId, difficulty: difficultyLogit } = step.item;
        const row = { servedItemId: `${seq}`, seq, itemId, subSkillCode: step.subSkillCode, difficultyLogit, answer };
        state = { ...state, served: [...state.served, row] };
      }
      return { targets, told: outcomes };
    };
  },
};

interface Warmup {
  readonly bankVersion: number;
  readonly gradeBand: GradeBand;
  readonly targets: readonly WarmupTarget[];
  readonly events: readonly (AnswerEvent | (Omit<AnswerEvent, 'type'> & { readonly type: 'pause' | 'resume' }))[];
}

export const receivedAt = (ms: number) => new Date(Date.UTC(2026, 9, 4, 6) + ms).toISOString();

function warmupEvents(seed: number): Warmup['events'] {
  const next = seededNumbers(seed);
  let atMs = 0;
  return Array.from({ length: 14 }, (_, at) => {
    atMs += 500 + Math.round(next() * 12_000);
    const type = at === 5 ? ('pause' as const) : at === 6 ? ('resume' as const) : at % 6 === 4 ? 'skip' : 'answer';
    const isAnswer = type === 'answer';
    const itemId = isAnswer || type === 'skip' ? (currentBank.items[(at * seed) % 9]?.id ?? null) : null;
    const correct = isAnswer ? next() < 0.7 : null;
    return { type, atMs, itemId, selectedOptionIndex: isAnswer ? at % 3 : null, correct, receivedAt: receivedAt(atMs) };
  });
}

const warmup: RecordedEngine<Warmup> = {
  name: 'warmup',
  questions: () =>
    bands.flatMap((gradeBand) =>
      [0, 1, 2].map((seed) => {
        const targets = subSkillsOf(gradeBand)
          .slice(0, seed * 3)
          .map((subSkillCode, at) => ({ subSkillCode, theta: at - seed / 3 }));
        return {
          id: `${gradeBand} ${seed}`,
          input: { bankVersion, gradeBand, targets, events: warmupEvents(seed + 1) },
        };
      }),
    ),
  compile: (bundle) => {
    const values = readWarmupValues(bundle);
    const { firstParts, gradeBands } = readMeasurementValues(bundle);
    return async ({ gradeBand, targets, events, ...input }) => {
      const bank = await banks.version(input.bankVersion);
      const firstPart = firstParts.get(gradeBands[gradeBand].grades[0] ?? 0) ?? [];
      const rows = events.map(
        ({ type, atMs, itemId, receivedAt: at }, place): WarmupEventRow => ({
          ...{ seq: place + 1, type, atMs, itemId, receivedMs: Date.parse(at) },
        }),
      );
      const fromMs = Date.UTC(2026, 9, 4, 6);
      const summary = warmupSummaryOf(rows, { fromMs, toMs: (rows.at(-1)?.receivedMs ?? fromMs) + 1000 });
      return {
        plan: planWarmup({ gradeBand, targets: warmupTargetsOf(targets, firstPart) }, bank, values).map(({ id }) => id),
        answers: timedAnswers(events as readonly AnswerEvent[]),
        summary,
        ended: endedAs(summary, durationMs(values)),
      };
    };
  },
};

export const trainingEngines = [recorded(practice), recorded(warmup)];
