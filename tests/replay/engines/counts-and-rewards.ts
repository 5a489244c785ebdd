// Protection of counts, and rewards for growth.
import fs from 'node:fs';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { protectTogether } from '#outcomes/aggregates/engine/protect.ts';
import type { SchoolCounts } from '#outcomes/aggregates/engine/units.ts';
import { tileStatistic } from '#outcomes/aggregates/releases/statistics/status.ts';
import { aggregateBands } from '#outcomes/aggregates/rules/bands.ts';
import { type EvaluatedCalendar, type EvaluatedFact, evaluateRewards } from '#outcomes/rewards/engine/evaluate.ts';
import { rewardRules } from '#outcomes/rewards/engine/rules.ts';
import { type RecordedEngine, recorded } from './engine.ts';

interface Organization {
  readonly schools: readonly SchoolCounts[];
}

function organization(seed: number): Organization {
  const next = seededNumbers(seed);
  const counts = () => Object.fromEntries(aggregateBands.map((band) => [band, Math.floor(next() * next() * 14)]));
  const classes = (school: number) =>
    Array.from({ length: 1 + Math.floor(next() * 4) }, (_, at) => ({ id: `c${school}.${at}`, counts: counts() }));
  const schools = Array.from({ length: 1 + (seed % 6) }, (_, at) => ({ id: `s${at}`, classes: classes(at) }));
  return { schools };
}

const shippedCases = (file: string) =>
  JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly cases: readonly never[] };

const protection: RecordedEngine<Organization> = {
  name: 'aggregates-protection',
  questions: () => [
    ...shippedCases('tests/outcomes/aggregates/engine/cases.json').cases.map(
      ({ name, schools }: Organization & { readonly name: string }) => ({ id: name, input: { schools } }),
    ),
    ...Array.from({ length: 24 }, (_, at) => ({ id: `${at}`, input: organization(at + 1) })),
  ],
  compile: (bundle) => {
    const rules = tileStatistic.protection(bundle);
    return ({ schools }) => protectTogether(schools, rules);
  },
};

interface Grown {
  readonly calendar: EvaluatedCalendar;
  readonly facts: readonly EvaluatedFact[];
}

const rewards: RecordedEngine<Grown> = {
  name: 'rewards',
  questions: () =>
    shippedCases('rules/gamification/rewards/1.golden.json').cases.map(
      ({
        name,
        calendar,
        events,
      }: Pick<Grown, 'calendar'> & { readonly name: string; readonly events: Grown['facts'] }) => ({
        id: name,
        input: { calendar, facts: events },
      }),
    ),
  compile: (bundle) => {
    const rules = rewardRules(bundle);
    return ({ calendar, facts }) => evaluateRewards(rules, calendar, facts);
  },
};

export const countEngines = [recorded(protection), recorded(rewards)];
