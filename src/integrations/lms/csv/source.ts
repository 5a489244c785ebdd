// Uploaded OneRoster files as a source of rosters.
import type { ProviderModel } from '../provider.ts';
import { readCourses, readRoster } from './read.ts';

export const csvSource: ProviderModel = {
  provider: 'oneroster',
  kind: 'csv',
  open: (services, connection) => ({
    listCourses: () => readCourses({ services, connection }),
    readRoster: (courseIds, asking) => readRoster({ services, connection }, courseIds, asking),
    revoke: async () => {},
  }),
};
