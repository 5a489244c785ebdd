// What other capabilities may use of the catalogue: sub-skills, domains, seasons and school years.
export { catalogueCapability } from './capability.ts';
export * from './engine/index.ts';
export { type SeasonWindow, windowAt, yearOfDay } from './seasons.ts';
export {
  dayWords,
  reasonOf,
  type Sentences,
  type SpokenValue,
  sayDecision,
  sentencesInForce,
  sentencesOf,
} from './sentences.ts';
