// What engines, of this service and of other capabilities, may use of the catalogue: pure functions and their types.
export {
  type Catalogue,
  type CatalogueDocument,
  compileCatalogue,
  type DomainNode,
  type Season,
  type SubSkill,
  seasons,
  type TileNode,
} from './catalogue.ts';
export { compileRoles, type Role, type Roles } from './roles.ts';
export { localMidnight, type SchoolYear, schoolYearOf } from './school-year.ts';
export { termFindings } from './terms/check-terms.ts';
export { lastDayOf, type SchoolYearDates, schoolYearDates, type YearStart } from './year-dates.ts';
