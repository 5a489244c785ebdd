// What families are told, in words of growth: each sentence as the filter lets it through.

import { localDate } from '#core/platform/pure/dates/calendar.ts';
import type { Season } from '#rules/catalogue/index.ts';
import { plainName } from '#rules/language/index.ts';
import { worstOrdered } from '../engine/growth.ts';
import { pointsOf } from '../engine/seasons.ts';
import type { LinkedChild } from '../facts/children.ts';
import type { FinishedDiagnostic } from '../facts/measured.ts';
import type { FamilyFacts, Growing } from '../facts/read.ts';
import type { FamilyRules, Tile } from '../rules.ts';
import type { Voice } from '../voice.ts';
import type { ChildDiagnostics, ChildGrowth, ChildList, ChildRecommendations } from './schemas.ts';

/** Says a word of `growth-trend/tile`. */
export const wordOf =
  ({ growth }: FamilyRules, voice: Voice) =>
  (key: string): string =>
    voice.say(`growth-trend/tile/${key}`, growth.word(key));

export const presentChildren = (
  children: readonly LinkedChild[],
  voiceOf: (fullNameAr: string) => Voice,
): ChildList => ({
  items: children.map(({ childId, fullNameAr, grade, schoolName, lastActiveAt }) => ({
    childId,
    firstNameAr: voiceOf(fullNameAr).firstNameAr,
    gradeLevel: grade,
    schoolName: schoolName === null ? null : plainName(schoolName),
    lastActiveAt,
  })),
});

/** As it was first judged: a later run changes nothing of it. */
export const presentDiagnostics = (
  rules: FamilyRules,
  voice: Voice,
  diagnostics: readonly FinishedDiagnostic[],
  timeZone: string,
): ChildDiagnostics => ({
  items: diagnostics.map(({ finishedAt, halted, tiles }) => {
    const known = new Set(rules.tiles.map(({ code }) => code));
    const own = (tiles ?? []).filter(({ tileCode }) => known.has(tileCode)).map(({ status }) => status);
    const value = halted === true ? undefined : worstOrdered(own);
    return {
      completedOn: localDate(new Date(finishedAt), timeZone),
      statusLabelAr: wordOf(rules, voice)(`label.${value ?? 'halted'}`),
    };
  }),
});

/** Those that are taught in the child's grade. */
export const tilesOf = ({ tiles }: FamilyRules, grade: number | null): readonly Tile[] =>
  tiles.filter(({ grades }) => grade !== null && grades.has(grade));

export interface ToldTile {
  readonly tile: Tile;
  readonly trajectory: ReturnType<FamilyRules['growth']['trajectoryOf']>;
  readonly points: readonly { readonly season: Season; readonly labelAr: string }[];
}

/** In a halt the newest point says that more is needed. */
export function toldTile(rules: FamilyRules, voice: Voice, tile: Tile, { halted, seasons }: Growing): ToldTile {
  const word = wordOf(rules, voice);
  const points = pointsOf(seasons, tile.code);
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
  voice: Voice,
  child: Growing & { grade: number | null },
): ChildGrowth {
  const word = wordOf(rules, voice);
  return {
    tiles: tilesOf(rules, child.grade).map((one) => {
      const { tile, trajectory, points } = toldTile(rules, voice, one, child);
      return {
        macroDomainAr: voice.say(`catalogue/subskills/${tile.code}`, tile.nameAr),
        trajectoryLabelAr: word(`trajectory.${trajectory}`),
        points: points.map(({ season, labelAr }) => ({ periodAr: word(`period.${season}`), labelAr })),
      };
    }),
  };
}

export const haltMessage = ({ haltAr }: FamilyRules, voice: Voice): string =>
  voice.say('profile/narratives/haltAr', haltAr);

export const saidSuggestions = (voice: Voice, suggestions: NonNullable<FamilyFacts['suggestions']>) =>
  suggestions.map(({ textId, titleAr, bodyAr }) => ({
    titleAr: voice.say(`profile-narratives/${textId}/titleAr`, titleAr),
    bodyAr: voice.say(`profile-narratives/${textId}/bodyAr`, bodyAr),
  }));

export const presentRecommendations = (
  rules: FamilyRules,
  voice: Voice,
  { suggestions }: FamilyFacts,
  window: Season,
): ChildRecommendations =>
  suggestions === null
    ? { halt: true, messageAr: haltMessage(rules, voice) }
    : { windowLabelAr: wordOf(rules, voice)(`period.${window}`), suggestions: saidSuggestions(voice, suggestions) };
