// Public API of the aggregates of schools and organizations.
export { aggregatesCapability } from './capability.ts';
export { presentAggregate, releasedHead, tileCell } from './present.ts';
export { nightlyRelease } from './releases/nightly.ts';
export { type Released, releasedCells } from './releases/rows/releases.ts';
export { releasedSeasons } from './releases/rows/seasons.ts';
export {
  type EndedSeason,
  releasedSeasonDates as datesOfSeason,
  seasonBefore,
  seasonOn,
} from './releases/season-dates.ts';
export { unmeasuredTiles } from './rollups/counting/unmeasured.ts';
export { rebuildOrganization } from './rollups/rebuild.ts';
export {
  type BandAudience,
  bandAudiences,
  bandDescriptions,
  bandDocuments,
  type StudentBand,
  studentBands,
} from './rules/bands.ts';
export { protectionSettings } from './rules/protection.ts';
export { Aggregate, aggregateHead } from './schemas.ts';
