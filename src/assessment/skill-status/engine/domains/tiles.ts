// Roll-up: domains give six tiles, tiles the overall picture. Each takes the worst value, never a count or a
// percentile.
import type { TileNode } from '#rules/catalogue/engine/index.ts';
import { type SeverePath, type TileStatus, type TileValue, tileValues } from '../vocabulary.ts';
import type { DecidedDomain, DomainEvaluation } from './status.ts';
import { joinPaths } from './tile.ts';

export interface TileEvaluation {
  readonly tile: TileNode;
  readonly status: TileStatus;
  /** False when no domain of the tile is in scope. */
  readonly applicable: boolean;
  readonly severePath: SeverePath | null;
}

/** Returns the tile's evaluation. `domains` are all domains in catalogue order. */
export function evaluateTile(tile: TileNode, domains: readonly DomainEvaluation[]): TileEvaluation {
  const decided: DecidedDomain[] = [];
  let inScope = 0;
  for (const index of tile.domainIndexes) {
    const domain = domains[index];
    if (!domain || domain.outcome === 'not_in_scope') continue;
    inScope += 1;
    if (domain.outcome === 'decided') decided.push(domain);
  }
  const applicable = inScope > 0;
  if (decided.length === 0) return { tile, status: 'Not_Assessed', applicable, severePath: null };
  const values = decided.map((domain) => domain.tile.value);
  const status = worst(decided.length < inScope ? [...values, 'Partial'] : values);
  const paths = decided.flatMap((domain) => domain.tile.severePath ?? []);
  return { tile, status, applicable, severePath: joinPaths(paths) };
}

/** Returns the overall status. A tile that was not assessed counts as Partial beside an assessed one. */
export function overallStatus(tiles: readonly TileEvaluation[]): TileStatus {
  const applicable = tiles.filter((tile) => tile.applicable);
  if (applicable.every((tile) => tile.status === 'Not_Assessed')) return 'Not_Assessed';
  return worst(applicable.map(({ status }) => (status === 'Not_Assessed' ? 'Partial' : status)));
}

const worst = (values: readonly TileValue[]): TileValue =>
  tileValues.find((value) => values.includes(value)) ?? 'Meets';
