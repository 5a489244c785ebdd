// Adds up what the threads have counted, and says how much of an answer it is.
import { simulation } from '#assessment/skill-status/index.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { addPosition } from '../impact/engine/add-position.ts';
import type { Scales } from '../impact/engine/direction.ts';
import { emptyPosition, type ImpactPosition } from '../impact/engine/position.ts';
import { gradeReports, layerReports, ruleHitReports } from '../impact/engine/report.ts';
import type { AskedRegion } from './engine/asked-questions.ts';
import type { JobIssue, Obstacle } from './obstacles.ts';
import { type IndexState, type LiveCounts, type LiveQuestion, mostListed } from './question.ts';
import type { LiveImpactState } from './schemas.ts';

export interface StateWithIssue {
  readonly state: LiveImpactState;
  readonly issue: JobIssue | null;
}

/** `parts`: one of each thread, null where it has not answered in time. */
export function liveStateOf(parts: readonly ((IndexState & { readonly seen: number }) | null)[]): StateWithIssue {
  if (parts.some((part) => part?.isTooLarge)) return { state: 'job_needed', issue: 'memory' };
  if (parts.some((part) => !part?.isLoaded)) return { state: 'warming', issue: null };
  const isWhole = parts.every((part) => part?.seen === part?.of);
  return { state: isWhole ? 'exact' : 'counting', issue: null };
}

export const withoutCounts = ({ state, issue }: NonNullable<Obstacle>, { students, now }: LiveQuestion) => ({
  ...{ state, issue, of: 0, seen: 0, changed: 0, restated: 0, layers: [], byGrade: [], ruleHits: [], regions: [] },
  ...{ students: students === null ? null : [], indexedAt: now, runsBehind: 0 },
});

export function addedUp(parts: readonly (LiveCounts | null)[], question: LiveQuestion) {
  const known = parts.filter((part) => part !== null);
  const fault = known.find((part) => part.fault !== null)?.fault;
  if (fault) return withoutCounts({ state: 'not_evaluable', issue: fault }, question);
  const { state, issue } = liveStateOf(parts);
  if (state === 'job_needed') return withoutCounts({ state, issue: issue ?? 'memory' }, question);
  const position = emptyPosition(simulation.layerNames);
  for (const part of known) addPosition(position, part.position);
  const total = (of: (part: LiveCounts) => number) => known.reduce((sum, part) => sum + of(part), 0);
  const [first] = known;
  return {
    ...{ state, issue, of: total((part) => part.of), seen: total((part) => part.seen) },
    ...{ changed: position.changed, restated: position.restated },
    layers: layersOf(position, first?.scales ?? {}),
    byGrade: gradeReports(position).map(({ grade, students, changed }) => ({ grade, students, changed })),
    ruleHits: ruleHitReports(position, first?.tables ?? []),
    regions: regionsOf(known),
    students: question.students === null ? null : studentsOf(known),
    indexedAt: question.now,
    runsBehind: total((part) => part.runsBehind),
  };
}

/** Outcomes that stay as they are are left out. */
const layersOf = (position: ImpactPosition, scales: Scales) =>
  simulation.layerNames.flatMap((layer) =>
    layerReports(position, { layers: [layer], scales }, () => []).map(
      ({ changed, better, worse, lateral, transitions }) => ({
        ...{ layer, changed, better, worse, lateral },
        transitions: transitions
          .filter(({ from, to }) => from !== to)
          .map(({ from, to, count }) => ({ from, to, count })),
      }),
    ),
  );

/** The fullest one first. */
function regionsOf(parts: readonly LiveCounts[]) {
  const totals = new Map<string, { readonly region: AskedRegion; students: number }>();
  for (const { students, ...region } of parts.flatMap(({ regions }) => regions)) {
    const key = canonicalJson(region);
    const known = totals.get(key) ?? { region, students: 0 };
    known.students += students;
    totals.set(key, known);
  }
  return [...totals]
    .map(([key, { region, students }]) => ({ key, region, students }))
    .filter(({ students }) => students > 0)
    .sort((one, other) => other.students - one.students || (one.key < other.key ? -1 : 1))
    .map(({ region: { name, before, after }, students }) => {
      const [family = '', key = ''] = name.split('/');
      return { family, key, before, after, students };
    });
}

const studentsOf = (parts: readonly LiveCounts[]) =>
  parts
    .flatMap(({ students }) => students)
    .sort((one, other) => one.studentId - other.studentId)
    .slice(0, mostListed);
