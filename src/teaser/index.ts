// What other capabilities may use of the teaser.
export { readTeaserValues } from './engine/values.ts';
