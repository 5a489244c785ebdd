// Plans the least measurement for a student's needs: greedy set cover (Chvátal 1979), measures with the most ended
// needs per minute first.
import { round4 } from '#core/platform/pure/round.ts';
import type { HaltAction } from '../../engine/vocabulary.ts';
import { type Ending, endingBy, type Measure } from './measures.ts';
import type { Need } from './needs.ts';

export interface PlannedAction {
  readonly action: HaltAction;
  /** In catalogue order. */
  readonly subSkillCodes: readonly string[];
  /** Null: an oral reading. */
  readonly formCode: string | null;
  readonly itemsNeeded: number;
  readonly seconds: number;
  /** In catalogue order. */
  readonly ends: readonly { readonly subSkillCode: string; readonly reason: Need['reason'] }[];
}

export interface Plan {
  /** In the order of selection. */
  readonly actions: readonly PlannedAction[];
  /** Needs that no measure ends. */
  readonly uncovered: readonly Need[];
}

interface Candidate {
  readonly measure: Measure;
  /** In catalogue order. */
  readonly endings: readonly Ending[];
  readonly seconds: number;
}

export function planMeasuring(
  needs: readonly Need[],
  measures: readonly Measure[],
  catalogueOrder: readonly string[],
): Plan {
  const positionOf = (code: string) => catalogueOrder.indexOf(code);
  const actions: PlannedAction[] = [];
  const choices = measures.map((measure): Choice => ({ measure, endings: endingsBy(measure, needs) }));
  let open = needs;
  for (;;) {
    const best = choices
      .map((choice) => candidateOf(choice, open, positionOf))
      .filter(({ endings }) => endings.length > 0)
      .sort((a, b) => compare(a, b, positionOf))[0];
    if (!best) return { actions, uncovered: open };
    actions.push(actionOf(best));
    const ended = new Set(best.endings.map(({ need }) => need));
    open = open.filter((need) => !ended.has(need));
  }
}

/** A measure with the cost of each need, which does not depend on other needs. */
interface Choice {
  readonly measure: Measure;
  readonly endings: ReadonlyMap<Need, Ending>;
}

const endingsBy = (measure: Measure, needs: readonly Need[]): ReadonlyMap<Need, Ending> =>
  new Map(
    needs.flatMap((need): [Need, Ending][] => {
      const ending = endingBy(measure, need);
      return ending ? [[need, ending]] : [];
    }),
  );

function candidateOf(
  { measure, endings: all }: Choice,
  open: readonly Need[],
  positionOf: (code: string) => number,
): Candidate {
  const endings = open
    .flatMap((need) => all.get(need) ?? [])
    .sort((a, b) => positionOf(a.subSkillCode) - positionOf(b.subSkillCode));
  return { measure, endings, seconds: endings.reduce((sum, { seconds }) => sum + seconds, 0) };
}

/** Compares needs per second as fractions, without rounding; then catalogue order, then the form's name. */
function compare(a: Candidate, b: Candidate, positionOf: (code: string) => number): number {
  const byRate = b.endings.length * a.seconds - a.endings.length * b.seconds;
  const firstOf = ({ endings }: Candidate) => positionOf(endings[0]?.subSkillCode ?? '');
  return byRate || firstOf(a) - firstOf(b) || ((a.measure.formCode ?? '') < (b.measure.formCode ?? '') ? -1 : 1);
}

const actionOf = ({ measure, endings, seconds }: Candidate): PlannedAction => ({
  action: endings[0]?.need.action ?? 'run_diagnostic',
  subSkillCodes: endings.map(({ subSkillCode }) => subSkillCode),
  formCode: measure.formCode,
  itemsNeeded: endings.reduce((sum, { need }) => sum + need.itemsNeeded, 0),
  seconds,
  ends: endings.map(({ subSkillCode, need }) => ({ subSkillCode, reason: need.reason })),
});

/** Returns minutes, 4 decimals. */
export const minutesFrom = (seconds: number): number => round4(seconds / 60);

export const secondsOfAll = (actions: readonly PlannedAction[]): number =>
  actions.reduce((sum, { seconds }) => sum + seconds, 0);
