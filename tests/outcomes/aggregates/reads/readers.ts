// Who reads counts, and what was published, on a test file's own database: releases are written as they are stored, with
// numbers of the test's own.
import type { Test } from 'uvu';
import { inContext } from '#core/platform/db.ts';
import type { Season } from '#outcomes/aggregates/enums.ts';
import { appendRelease, type NewCell } from '#outcomes/aggregates/releases/rows/publish.ts';
import { buildPrincipal, buildSuperAdmin, buildUser, type SchoolRow, signIn } from '../../../harness/factories.ts';
import type { Reply } from '../../../harness/fetch.ts';
import { type CountedSchools, useCountedSchools } from '../rollups/counted-schools.ts';

/** Tokens. */
export interface Readers {
  readonly principal: string;
  readonly admin: string;
  readonly superAdmin: string;
  readonly manager: string;
}

export interface Publication {
  readonly organizationId: string;
  /** Absent: of the organization. */
  readonly schoolId?: string;
  readonly schoolYear: string;
  readonly season: Season;
  readonly releasedAt: string;
  readonly cells: readonly NewCell[];
}

export interface CountReads extends CountedSchools {
  readers(school: SchoolRow): Promise<Readers>;
  publish(publication: Publication): Promise<void>;
  read<Body = Record<string, unknown>>(path: string, token: string): Promise<Reply<Body>>;
}

export const bands = ['Meets', 'Approaching', 'Below', 'Severe', 'More_Data'] as const;
export const tileCodes = ['FOUNDATIONS', 'WORD_READING', 'FLUENCY', 'LANGUAGE', 'COMPREHENSION', 'WRITING'] as const;
export const stamp = { 'band-descriptions/manager': 1, 'ssr/ssr': 4 };
export const newestRun = '2026-01-10T06:00:00.000Z';

/** In the order of the bands; null means suppressed. */
export const countsOf = (...numbers: readonly (number | null)[]) =>
  Object.fromEntries(bands.map((band, at) => [band, numbers[at] ?? null]));

export function useCountReads<Context>(test: Test<Context>): CountReads {
  const schools = useCountedSchools(test);
  const { app, http, services } = schools;
  const { owner } = app.database;
  return {
    ...schools,
    async readers(school) {
      const { organizationId } = school;
      const people = await Promise.all([
        buildPrincipal(owner, school),
        buildUser(owner, 'ADMIN', { organizationId }),
        buildSuperAdmin(owner),
        buildUser(owner, 'MANAGER', { organizationId }),
      ]);
      const [principal = '', admin = '', superAdmin = '', manager = ''] = await Promise.all(
        people.map((person) => signIn(app, person)),
      );
      return { principal, admin, superAdmin, manager };
    },
    publish({ organizationId, schoolId, schoolYear, season, releasedAt, cells }) {
      const unit = schoolId === undefined ? 'organization' : 'school';
      const release = {
        ...({ organizationId, unit, unitId: schoolId ?? organizationId, schoolYear, season } as const),
        ...{ releasedAt: new Date(releasedAt), asOf: new Date(newestRun), ruleVersions: stamp },
      };
      return inContext(services.db, { organizationId }, (trx) => appendRelease(trx, release, { cells, counts: [] }));
    },
    read: (path, token) => http.get(path, { token }),
  };
}
