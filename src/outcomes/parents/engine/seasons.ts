// Which value of a tile stands for a season: that of the last run in it, where something was measured at all.

import type { TileStatus } from '#assessment/skill-status/engine/index.ts';
import { type CatalogueDocument, type Season, seasons } from '#rules/catalogue/engine/index.ts';

/** The last run of a calendar month, in local time. */
export interface MonthRun {
  /** 1 to 12. */
  readonly month: number;
  /** Grows with each run. */
  readonly seq: number;
  readonly halted: boolean;
  readonly tiles: readonly { readonly tileCode: string; readonly status: TileStatus }[];
  /** Some run of the month came of the child's own work, not of rules, a grade or an administrator alone. */
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

/** Oldest first; a season in which only rules, a grade or an administrator have asked gives nothing. */
export function seasonRuns(runs: readonly MonthRun[], calendar: CatalogueDocument['seasons']): SeasonRun[] {
  const found = seasons.flatMap((season): SeasonRun[] => {
    const months = calendar.find(({ code }) => code === season)?.months ?? [];
    const own = runs.filter(({ month }) => months.includes(month));
    const last = own.toSorted((one, other) => other.seq - one.seq)[0];
    return last && own.some(({ isMeasured }) => isMeasured) ? [{ season, run: last }] : [];
  });
  return found.toSorted((one, other) => one.run.seq - other.run.seq);
}

/** A tile that no season has measured has no point. */
export const pointsOf = (runs: readonly SeasonRun[], tileCode: string): SeasonPoint[] =>
  runs.flatMap(({ season, run }) => {
    const status = run.tiles.find((tile) => tile.tileCode === tileCode)?.status;
    return status === undefined || status === 'Not_Assessed' ? [] : [{ season, value: status }];
  });
