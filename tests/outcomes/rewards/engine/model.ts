// Rewards read from the contract (60 §1) a second time, slowly and by other means: for each event everything is counted anew
// from the whole list. It shares no code and no number with the engine.
import type { MasteryFact } from '#outcomes/rewards/engine/enums.ts';

const xpOf: Readonly<Record<string, number>> = {
  subskill_state_up: 20,
  skill_status_transition: 20,
  domain_status_escalation: 50,
  band_progression: 40,
  cbm_trend_above_goal: 30,
  bundle_step_goal_met: 15,
  bundle_completion: 60,
  scaffold_tier_step_up: 25,
};

type Met = (events: readonly MasteryFact[], longest: number) => boolean;
const count =
  (n: number): Met =>
  (events) =>
    events.length >= n;
const first =
  (kind: string): Met =>
  (events) =>
    events.some((one) => one.sourceKind === kind);
const run =
  (n: number): Met =>
  (_, longest) =>
    longest >= n;

const catalogue: readonly (readonly [string, Met])[] = [
  ['first_step', count(1)],
  ['sound_explorer', first('subskill_state_up')],
  ['new_bloom', first('skill_status_transition')],
  ['bridge_builder', first('bundle_step_goal_met')],
  ['growing_wings', first('scaffold_tier_step_up')],
  ['new_horizon', first('band_progression')],
  ['flowing_voice', first('cbm_trend_above_goal')],
  ['door_opener', first('domain_status_escalation')],
  ['path_finisher', first('bundle_completion')],
  ['five_stars', count(5)],
  ['fifteen_stars', count(15)],
  ['bright_sky', count(35)],
  ['streak_5', run(5)],
  ['streak_10', run(10)],
  ['streak_20', run(20)],
];

/** Lengths that runs had after each of their days, one list for all runs together. */
function runLengths(events: readonly MasteryFact[]): { readonly date: string; readonly length: number }[] {
  const days: { date: string; length: number }[] = [];
  for (const { localDate, missedSchoolDays } of events) {
    const last = days.at(-1);
    if (last && localDate <= last.date) continue;
    days.push({ date: localDate, length: last && missedSchoolDays <= 7 ? last.length + 1 : 1 });
  }
  return days;
}

function credits(events: readonly MasteryFact[]): number[] {
  const given: number[] = [];
  events.forEach(({ sourceKind, sessionKey }, at) => {
    const before = given.filter((_, index) => events[index]?.sessionKey === sessionKey);
    const sum = before.reduce((total, one) => total + one, 0);
    given[at] = Math.min(xpOf[sourceKind] as number, 200 - sum);
  });
  return given;
}

export interface ModelStep {
  /** `credit 5 of 50`; empty for a full session. */
  readonly credit: string;
  readonly badge: string | null;
  readonly celebrations: readonly string[];
  readonly xpBalance: number;
  readonly streak: { readonly current: number; readonly longest: number; readonly lastTickDate: string | null };
  readonly avatarTier: number;
}

export function modelSteps(events: readonly MasteryFact[]): ModelStep[] {
  const amounts = credits(events);
  const badges: (string | null)[] = [];
  return events.map((event, at) => {
    const so = events.slice(0, at + 1);
    const days = runLengths(so);
    const longest = Math.max(...days.map(({ length }) => length));
    const held = [...badges];
    badges[at] = catalogue.find(([code, met]) => !held.includes(code) && met(so, longest))?.[0] ?? null;
    const hasTicked = days.length > runLengths(events.slice(0, at)).length;
    const newest = days.at(-1) as { readonly date: string; readonly length: number };
    const milestone = hasTicked && [5, 10, 20].includes(newest.length) ? [`streak_milestone ${newest.length}`] : [];
    const tier = [5, 15, 35, 75].indexOf(at + 1);
    const amount = amounts[at] as number;
    const full = xpOf[event.sourceKind] as number;
    return {
      credit: amount === 0 ? '' : `credit ${amount}${amount < full ? ` of ${full}` : ''}`,
      badge: badges[at] ?? null,
      celebrations: [...milestone, ...(tier < 0 ? [] : [`avatar_tier ${tier + 2}`])],
      xpBalance:
        amounts.slice(0, at + 1).reduce((sum, one) => sum + one, 0) + 10 * badges.filter((one) => one !== null).length,
      streak: { current: newest.length, longest, lastTickDate: newest.date },
      avatarTier: 1 + [5, 15, 35, 75].filter((least) => at + 1 >= least).length,
    };
  });
}
