// The smallest change after which a tile has another value.
import { type DecisionView, type NearestChangeView, nearestChange } from '#rules/rulesets/index.ts';
import type { DecidedDomain, DomainEvaluation } from '../engine/domains/status.ts';
import { evaluateTile, overallStatus } from '../engine/domains/tiles.ts';
import { factCategories } from '../engine/fact-categories.ts';
import type { TileStatus, TileValue } from '../engine/vocabulary.ts';
import { tileValues } from '../engine/vocabulary.ts';
import { globalTile } from '../results/tables.ts';
import type { RunTrace } from './run-trace.ts';

/**
 * Returns the nearest of the domains' changes after which the tile, which is the worst of its domains, has another
 * value. Returns null when no single domain decides it.
 */
export function nearestTileChange(
  trace: RunTrace,
  tileCode: string,
  decisions: readonly DecisionView[],
): NearestChangeView | null {
  const shown = tileStatus(trace, tileCode, trace.evaluation.domains);
  const changes = decisions
    .map((decision) => nearestChange(decision, factCategories, trace.sentences.isAboutChild))
    .filter((change) => change !== null)
    .filter((change) => tileStatus(trace, tileCode, withValue(trace.evaluation.domains, change)) !== shown);
  return changes.reduce<NearestChangeView | null>(
    (best, change) => (best === null || isNearer(change, best) ? change : best),
    null,
  );
}

const isNearer = (left: NearestChangeView, right: NearestChangeView): boolean =>
  left.changes.length < right.changes.length ||
  (left.changes.length === right.changes.length && left.distance < right.distance);

function tileStatus({ evaluation }: RunTrace, tileCode: string, domains: readonly DomainEvaluation[]): TileStatus {
  const tiles = evaluation.tiles.map(({ tile }) => evaluateTile(tile, domains));
  if (tileCode === globalTile) return overallStatus(tiles);
  return tiles.find(({ tile }) => tile.code === tileCode)?.status ?? 'Not_Assessed';
}

const withValue = (domains: readonly DomainEvaluation[], { subject, outcome }: NearestChangeView) =>
  domains.map((one) => (one.domain.code === subject && one.outcome === 'decided' ? showing(one, outcome) : one));

function showing(domain: DecidedDomain, outcome: string): DecidedDomain {
  const value = tileValues.find((one): one is TileValue => one === outcome) ?? domain.tile.value;
  return { ...domain, tile: { ...domain.tile, value, severePath: null } };
}
