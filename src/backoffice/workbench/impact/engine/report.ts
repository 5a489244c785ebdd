// Makes the report of an impact from what the job has counted.

import { compare } from '#core/platform/pure/lists/compare.ts';
import { round4 } from '#core/platform/pure/round.ts';
import type { Facts, Scale, TraceStep } from '#rules/rulesets/engine/index.ts';
import { directionOf, type Scales } from './direction.ts';
import type { GroupCount, ImpactPosition } from './position.ts';
import { type LayerTally, transitionsOf } from './tally.ts';
import type { Direction } from './vocabulary.ts';

export interface ExemplarSide {
  readonly ruleId: string | null;
  readonly outcome: string;
  readonly facts: Facts | null;
  readonly trace: readonly TraceStep[];
}

export interface Exemplar {
  readonly studentId: number;
  readonly stampId: string;
  readonly subject: string;
  readonly before: ExemplarSide;
  readonly after: ExemplarSide;
}

/** Returns the exemplars of one transition of a layer. */
export type ExemplarsOf = (layer: string, from: string, to: string) => readonly Exemplar[];

export interface TransitionReport {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly direction: Direction;
  readonly exemplars: readonly Exemplar[];
}

export interface LayerReport {
  readonly layer: string;
  readonly compared: number;
  readonly changed: number;
  readonly better: number;
  readonly worse: number;
  readonly lateral: number;
  readonly transitions: readonly TransitionReport[];
}

/** Returns reports in the order of `layers`, with transitions sorted by their outcomes. */
export function layerReports(
  position: ImpactPosition,
  { layers, scales }: { readonly layers: readonly string[]; readonly scales: Scales },
  exemplarsOf: ExemplarsOf,
): LayerReport[] {
  return layers.flatMap((layer) => {
    const tally = position.layers[layer];
    return tally ? [layerReport(layer, tally, scales[layer] ?? [], exemplarsOf)] : [];
  });
}

function layerReport(layer: string, tally: LayerTally, scale: Scale, exemplarsOf: ExemplarsOf): LayerReport {
  const transitions = transitionsOf(tally)
    .map(({ from, to, count }): TransitionReport => {
      return { from, to, count, direction: directionOf(scale, from, to), exemplars: exemplarsOf(layer, from, to) };
    })
    .sort((one, other) => compare(one.from, other.from) || compare(one.to, other.to));
  const total = (...of: readonly Direction[]) =>
    transitions.reduce((sum, { direction, count }) => (of.includes(direction) ? sum + count : sum), 0);
  const [better, worse, lateral] = [total('better'), total('worse'), total('lateral')];
  const changed = better + worse + lateral;
  return { layer, compared: changed + total('same'), changed, better, worse, lateral, transitions };
}

export const schoolReports = ({ schools }: ImpactPosition) =>
  Object.entries(schools)
    .sort(([one], [other]) => compare(one, other))
    .map(([schoolId, group]) => ({ schoolId: schoolId === '' ? null : schoolId, ...shareOf(group) }));

export const gradeReports = ({ grades }: ImpactPosition) =>
  Object.entries(grades)
    .map(([grade, group]) => ({ grade: Number(grade), ...shareOf(group) }))
    .sort((one, other) => one.grade - other.grade);

const shareOf = ({ students, changed }: GroupCount) => ({ students, changed, share: round4(changed / students) });

export interface RuleHits {
  readonly document: string;
  readonly ruleId: string;
  readonly before: number;
  readonly after: number;
}

/** Returns every rule of the tables, in their order; rules that only the draft has come after those of the version in force. */
export function ruleHitReports({ hits }: ImpactPosition, tables: readonly RuleTables[]): RuleHits[] {
  return tables.flatMap(({ name, before, after }) => {
    const ids = [...new Set([...before, ...after])];
    return ids.map((ruleId) => ({
      document: name,
      ruleId,
      ...(hits[`${name} ${ruleId}`] ?? { before: 0, after: 0 }),
    }));
  });
}

/** Ids of the rules of a table, in force and in the draft. */
export interface RuleTables {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}
