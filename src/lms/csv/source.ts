// Uploaded OneRoster files as a source of rosters.
import type { ProviderModel } from '../provider.ts';
import { readCourses, readRoster } from './read.ts';

export const csvSource: ProviderModel = {
  provider: 'oneroster',
  kind: 'csv',
  open: ({ db }, connection) => ({
    listCourses: () => readCourses(db, connection),
    readRoster: (courseIds, asking) => readRoster(db, connection, courseIds, asking),
    revoke: async () => {},
  }),
};
