// What other capabilities may use of counts of schools and organizations.
export { aggregatesCapability } from './capability.ts';
export { presentAggregate, releasedHead, tileCell } from './present.ts';
export { type EndedSeason, seasonBefore, seasonDates as datesOfSeason, seasonOn } from './releases/due.ts';
export { releaseOfTheNight } from './releases/nightly.ts';
export { type Released, releasedCells } from './releases/rows/releases.ts';
export { releasedSeasons } from './releases/rows/seasons.ts';
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
