// Request and response schemas of organizations and schools.
import Type from 'typebox';
import {
  CalendarDate,
  Cuid,
  EnteredDate,
  named,
  nameText,
  nullable,
  object,
  pageQuery,
  Timestamp,
} from '#core/http/schemas.ts';

export const Name = nameText('Name');
const Slug = named('Slug', Type.String({ maxLength: 63, pattern: '^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$' }));
/** ISO 3166-1 alpha-2 */
export const Country = named('Country', Type.String({ maxLength: 2, format: 'iso-country' }));
/** BCP 47 */
const Locale = named('Locale', Type.String({ maxLength: 35, pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' }));
const Domain = named('InternetDomain', Type.String({ maxLength: 253, pattern: '^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])$' }));
const TimeZone = named('TimeZone', Type.String({ maxLength: 64, format: 'iana-time-zone' }));
/** ISO weekdays, 1 = Monday */
const Weekend = Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { uniqueItems: true, maxItems: 6 });
const MinClusterSize = named('MinClusterSize', Type.Integer({ minimum: 2, maximum: 5 }));

const organizationSettings = {
  name: Name,
  defaultLocale: Locale,
  allowedGoogleDomains: Type.Array(Domain, {
    uniqueItems: true,
    maxItems: 50,
    description:
      'Who may sign in with Google: the hosted domain (hd) of the Google account where it has one, else the domain of its verified email, must be one of these. A SUPER administrator is not asked.',
  }),
  timeZone: TimeZone,
  weekend: Weekend,
  holidays: Type.Array(CalendarDate, { uniqueItems: true, maxItems: 366 }),
  minClusterSize: MinClusterSize,
};

export const OrganizationBody = named(
  'OrganizationBody',
  object({
    name: Name,
    slug: Slug,
    country: Country,
    defaultLocale: Locale,
    isDemo: Type.Optional(Type.Boolean()),
    allowedGoogleDomains: Type.Optional(organizationSettings.allowedGoogleDomains),
    timeZone: Type.Optional(TimeZone),
    weekend: Type.Optional(Weekend),
  }),
);
const enteredHolidays = Type.Array(EnteredDate, { uniqueItems: true, maxItems: 366 });
export const OrganizationPatch = Type.Partial(object({ ...organizationSettings, holidays: enteredHolidays }), {
  additionalProperties: false,
  minProperties: 1,
});
export const OrganizationView = named(
  'Organization',
  object({
    id: Cuid,
    slug: Type.String(),
    country: Type.String(),
    isDemo: Type.Boolean(),
    createdAt: Timestamp,
    ...organizationSettings,
    name: Type.String(),
    timeZone: Type.String(),
  }),
);

export const SchoolBody = named('SchoolBody', object({ organizationId: Cuid, name: Name, country: Country }));
export const SchoolPatch = named(
  'SchoolPatch',
  object(
    {
      name: Type.Optional(Name),
      minClusterSize: Type.Optional(nullable(MinClusterSize)),
      timeZone: Type.Optional(nullable(TimeZone)),
    },
    { minProperties: 1 },
  ),
);
export const schoolProperties = {
  id: Cuid,
  organizationId: Cuid,
  name: Type.String(),
  country: Type.String(),
  minClusterSize: nullable(MinClusterSize),
  timeZone: nullable(Type.String()),
};
export const SchoolView = named('School', object(schoolProperties));
export const SchoolListQuery = named('SchoolListQuery', object({ ...pageQuery, organizationId: Type.Optional(Cuid) }));
