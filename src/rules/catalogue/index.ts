// What other capabilities may use of the catalogue: sub-skills, domains, seasons and school years.
export {
  type Catalogue,
  type CatalogueDocument,
  compileCatalogue,
  type DomainNode,
  type Season,
  type SubSkill,
  seasons,
  type TileNode,
} from './engine/catalogue.ts';
export { compileRoles, type Role, type Roles } from './engine/roles.ts';
export { type SchoolYear, schoolYearOf } from './engine/school-year.ts';
export { lastDayOf, type SchoolYearDates, schoolYearDates, type YearStart } from './engine/year-dates.ts';
export { type SeasonWindow, windowAt, yearOfDay } from './seasons.ts';
