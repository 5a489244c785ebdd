// Presents facts to families in terms of growth; each sentence passes the language filter.

import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { Season } from '#rules/catalogue/index.ts';
import { plainName } from '#rules/language/index.ts';
import { worstOrdered } from '../engine/growth.ts';
import { seasonPointsOf } from '../engine/seasons.ts';
import type { LinkedChild } from '../facts/children.ts';
import type { FamilyFacts, SeasonFacts } from '../facts/family-facts.ts';
import type { MeasuredDiagnostic } from '../facts/measured.ts';
import type { FamilyRenderer } from '../render-for-family.ts';
import type { FamilyRules, Tile } from '../rules.ts';
import type { ChildDiagnostics, ChildGrowth, ChildList, ChildRecommendations } from './schemas.ts';

/** Returns a function that renders a text of `growth-trend/tile` by its key. */
export const wordOf =
  ({ growth }: FamilyRules, renderer: FamilyRenderer) =>
  (key: string): string =>
    renderer.render(`growth-trend/tile/${key}`, growth.word(key));

export const presentChildren = (
  children: readonly LinkedChild[],
  rendererFor: (fullNameAr: string) => FamilyRenderer,
): ChildList => ({
  items: children.map(({ childId, fullNameAr, grade, schoolName, lastActiveAt }) => ({
    childId,
    firstNameAr: rendererFor(fullNameAr).firstNameAr,
    gradeLevel: grade,
    schoolName: schoolName === null ? null : plainName(schoolName),
    lastActiveAt,
  })),
});

/** Presents diagnostics by their first evaluation; later runs do not change it. */
export const presentDiagnostics = (
  rules: FamilyRules,
  renderer: FamilyRenderer,
  diagnostics: readonly MeasuredDiagnostic[],
  timeZone: string,
): ChildDiagnostics => ({
  items: diagnostics.map(({ finishedAt, halted, tiles }) => {
    const known = new Set(rules.tiles.map(({ code }) => code));
    const own = (tiles ?? []).filter(({ tileCode }) => known.has(tileCode)).map(({ status }) => status);
    const value = halted === true ? undefined : worstOrdered(own);
    return {
      completedOn: localDate(new Date(finishedAt), timeZone),
      statusLabelAr: wordOf(rules, renderer)(`label.${value ?? 'halted'}`),
    };
  }),
});

/** Returns the tiles of the child's grade. */
export const gradeTilesOf = ({ tiles }: FamilyRules, grade: number | null): readonly Tile[] =>
  tiles.filter(({ grades }) => grade !== null && grades.has(grade));

export interface PresentedTile {
  readonly tile: Tile;
  readonly trajectory: ReturnType<FamilyRules['growth']['trajectoryOf']>;
  readonly points: readonly { readonly season: Season; readonly labelAr: string }[];
}

/** During a halt the newest point has the label `halted`. */
export function presentTile(
  rules: FamilyRules,
  renderer: FamilyRenderer,
  tile: Tile,
  { halted, seasons }: SeasonFacts,
): PresentedTile {
  const word = wordOf(rules, renderer);
  const points = seasonPointsOf(seasons, tile.code);
  return {
    tile,
    trajectory: rules.growth.trajectoryOf(
      halted,
      points.map(({ value }) => value),
    ),
    points: points.map(({ season, value }, at) => ({
      season,
      labelAr: word(`label.${halted && at === points.length - 1 ? 'halted' : value}`),
    })),
  };
}

export function presentGrowth(
  rules: FamilyRules,
  renderer: FamilyRenderer,
  child: SeasonFacts & { grade: number | null },
): ChildGrowth {
  const word = wordOf(rules, renderer);
  return {
    tiles: gradeTilesOf(rules, child.grade).map((one) => {
      const { tile, trajectory, points } = presentTile(rules, renderer, one, child);
      return {
        macroDomainAr: renderer.render(`catalogue/subskills/${tile.code}`, tile.nameAr),
        trajectoryLabelAr: word(`trajectory.${trajectory}`),
        points: points.map(({ season, labelAr }) => ({ periodAr: word(`period.${season}`), labelAr })),
      };
    }),
  };
}

export const haltMessage = ({ haltAr }: FamilyRules, renderer: FamilyRenderer): string =>
  renderer.render('profile/narratives/haltAr', haltAr);

export const presentSuggestions = (renderer: FamilyRenderer, suggestions: NonNullable<FamilyFacts['suggestions']>) =>
  suggestions.map(({ textId, titleAr, bodyAr }) => ({
    titleAr: renderer.render(`profile-narratives/${textId}/titleAr`, titleAr),
    bodyAr: renderer.render(`profile-narratives/${textId}/bodyAr`, bodyAr),
  }));

export const presentRecommendations = (
  rules: FamilyRules,
  renderer: FamilyRenderer,
  { suggestions }: FamilyFacts,
  window: Season,
): ChildRecommendations =>
  suggestions === null
    ? { halt: true, messageAr: haltMessage(rules, renderer) }
    : {
        windowLabelAr: wordOf(rules, renderer)(`period.${window}`),
        suggestions: presentSuggestions(renderer, suggestions),
      };
