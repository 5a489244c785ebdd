// Diagnostics from the first item to the estimates: the served items, the reason for the end, and the estimates. The
// estimator is also recorded alone.

import { type GradeBand, type ItemBank, itemBanks } from '#assessment/content/index.ts';
import { estimatesOf, finishReasonOf } from '#assessment/measurement/diagnostics/engine/finish.ts';
import { formsOfGrade } from '#assessment/measurement/diagnostics/engine/forms.ts';
import { nextStep } from '#assessment/measurement/diagnostics/engine/next-item.ts';
import type { SessionState } from '#assessment/measurement/diagnostics/engine/state.ts';
import { estimateAbility } from '#assessment/measurement/scoring/engine/eap.ts';
import { readMeasurementValues } from '#assessment/measurement/scoring/engine/values.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { compileCatalogue } from '#rules/catalogue/index.ts';
import { type RecordedEngine, recorded } from './engine.ts';

export const banks = itemBanks();
export const currentBank: ItemBank = await banks.current();

interface Sitting {
  readonly bankVersion: number;
  readonly grade: number;
  /** Counted from 1. */
  readonly part: number;
  readonly band: GradeBand;
  /** Every how many items of the bank the student has seen one recently. 0: none. */
  readonly seenEvery: number;
  /** One letter for each item: right, wrong, skipped. */
  readonly answers: string;
  /** Used in turn. */
  readonly latencyMs: readonly number[];
}

/** Returns R with the given probability, and S for one item in sixteen. */
export function letters(seed: number, length: number, right: number): string {
  const next = seededNumbers(seed);
  return Array.from({ length }, () => {
    const drawn = next();
    if (drawn > 15 / 16) return 'S';
    return next() < right ? 'R' : 'W';
  }).join('');
}

const bandOf = (grade: number): GradeBand => (grade <= 2 ? 'G12' : 'G34');

const sitting: RecordedEngine<Sitting> = {
  name: 'diagnostics',
  questions: () =>
    [1, 2, 3, 4].flatMap((grade) =>
      [0, 0.35, 0.75, 1].map((right, at) => ({
        id: `grade ${grade}, ${right} right`,
        input: {
          ...{ bankVersion: banks.currentVersion, grade, part: (at % 2) + 1, band: bandOf(grade), seenEvery: at },
          ...{ answers: letters(grade * 10 + at, 60, right), latencyMs: [4000, 9000, 21_000 + at * 9000] },
        },
      })),
    ),
  compile: (bundle) => {
    const values = readMeasurementValues(bundle);
    const { subSkills } = compileCatalogue(bundle);
    return async (input) => {
      const bank = await banks.version(input.bankVersion);
      const form = formsOfGrade(input.grade, subSkills, values)[input.part - 1];
      const seen = bank.items.filter((_, at) => input.seenEvery > 0 && at % input.seenEvery === 0);
      let state: SessionState = {
        ...{ subSkills: form?.subSkills ?? [], band: input.band, served: [], responses: [] },
        ...{ seenItemIds: new Set(seen.map(({ id }) => id)), closedSubSkills: new Set() },
      };
      const served: string[] = [];
      for (const [at, letter] of [...input.answers].entries()) {
        const step = nextStep(state, { bank, values });
        if (step.outcome === 'no_eligible_item') {
          state = { ...state, closedSubSkills: new Set([...state.closedSubSkills, step.subSkillCode]) };
          served.push(`closed ${step.subSkillCode}`);
        }
        if (step.outcome !== 'item_served') continue;
        const { item, subSkillCode, tier } = step;
        served.push(`${item.id} ${tier}`);
        const seq = state.served.length + 1;
        const latencyMs = input.latencyMs[at % input.latencyMs.length] ?? 0;
        state = {
          ...state,
          served: [
            ...state.served,
            {
              ...{ servedItemId: `${seq}`, seq, itemId: item.id, subSkillCode },
              ...{ difficultyLogit: item.difficulty, servedAtMs: 0 },
            },
          ],
          responses: [
            ...state.responses,
            { seq, selectedOptionIndex: letter === 'S' ? null : 0, correct: letter === 'R', latencyMs },
          ],
        };
      }
      return {
        ...{ form, served, reason: finishReasonOf(state, { bank, values }) },
        estimates: estimatesOf(state, bank, values),
      };
    };
  },
};

interface Scored {
  readonly b: readonly number[];
  readonly u: string;
  readonly prior?: { readonly mean: number; readonly sd: number };
}

const scoring: RecordedEngine<Scored> = {
  name: 'scoring',
  questions: () =>
    Array.from({ length: 24 }, (_, at) => {
      const next = seededNumbers(at + 1);
      const length = 1 + ((at * 5) % 22);
      const b = Array.from({ length }, () => Math.round((next() * 6 - 3) * 100) / 100);
      const u = b.map(() => (next() < at / 24 ? 'R' : 'W')).join('');
      const prior = at % 3 === 2 ? { mean: Math.round(next() * 20) / 10 - 1, sd: 0.6 } : undefined;
      return { id: `${at}`, input: { b, u, ...(prior && { prior }) } };
    }),
  compile:
    () =>
    ({ b, u, prior }) =>
      estimateAbility(
        b.map((difficultyLogit, at) => ({ itemId: `${100 + at}`, difficultyLogit, correct: u[at] === 'R' })),
        prior,
      ),
};

export const diagnosticEngines = [recorded(sitting), recorded(scoring)];
