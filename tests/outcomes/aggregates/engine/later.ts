// Schools that are published one after the other, and the organization once all are out.
import { protectOrganization } from '#outcomes/aggregates/engine/organization.ts';
import type { Protected } from '#outcomes/aggregates/engine/protect.ts';
import { protectSchool } from '#outcomes/aggregates/engine/school.ts';
import type { ProtectionRules, PublishedSchools, SchoolCounts } from '#outcomes/aggregates/engine/units.ts';
import { countedIn } from './populations.ts';

/** `seen`: how many of the newest a school is published beside. */
export function protectLater(schools: readonly SchoolCounts[], rules: ProtectionRules, seen = 24): Protected {
  let out: PublishedSchools = { schools: [], shown: { schools: {}, classes: {} } };
  for (const school of schools) {
    const own = protectSchool(school, rules, { ...out, schools: out.schools.slice(-seen) });
    out = {
      schools: [...out.schools, ...countedIn([school])],
      shown: {
        schools: { ...out.shown.schools, ...own.schools },
        classes: { ...out.shown.classes, ...own.classes },
      },
    };
  }
  return { organization: protectOrganization(out, rules), ...out.shown };
}
