// Profiles, bundles and groups.
import type { Entries } from '../entry.ts';

export const interventionEntries: Entries = {
  listBundles: { request: () => ({ query: { grade: 2, state: 'active' } }) },
  getBundle: { request: () => ({ params: { bundle_id: 'BND-DECODE-01' } }) },
};
