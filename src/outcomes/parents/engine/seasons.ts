// Selects the value of a tile for a season: that of the last run in a season with a measurement.

import type { TileStatus } from '#assessment/skill-status/engine/index.ts';
import { type CatalogueDocument, type Season, seasons } from '#rules/catalogue/engine/index.ts';

/** The last run of a calendar month in local time. */
export interface MonthRun {
  /** 1 to 12. */
  readonly month: number;
  /** Increases with each run. */
  readonly seq: number;
  readonly halted: boolean;
  readonly tiles: readonly { readonly tileCode: string; readonly status: TileStatus }[];
  /**
   * Whether a run of the month was caused by the child's work, not only by rules, a grade change or an administrator.
   */
  readonly isMeasured: boolean;
}

export interface SeasonPoint {
  readonly season: Season;
  readonly value: TileStatus;
}

export interface SeasonRun {
  readonly season: Season;
  readonly run: MonthRun;
}

/** Returns the last run of each measured season, oldest first. */
export function seasonRuns(runs: readonly MonthRun[], calendar: CatalogueDocument['seasons']): SeasonRun[] {
  const found = seasons.flatMap((season): SeasonRun[] => {
    const months = calendar.find(({ code }) => code === season)?.months ?? [];
    const own = runs.filter(({ month }) => months.includes(month));
    const last = own.toSorted((one, other) => other.seq - one.seq)[0];
    return last && own.some(({ isMeasured }) => isMeasured) ? [{ season, run: last }] : [];
  });
  return found.toSorted((one, other) => one.run.seq - other.run.seq);
}

/** Returns the points of a tile; seasons without a measurement have none. */
export const seasonPointsOf = (runs: readonly SeasonRun[], tileCode: string): SeasonPoint[] =>
  runs.flatMap(({ season, run }) => {
    const status = run.tiles.find((tile) => tile.tileCode === tileCode)?.status;
    return status === undefined || status === 'Not_Assessed' ? [] : [{ season, value: status }];
  });
