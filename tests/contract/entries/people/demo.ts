// Access to the demo.
import type { Entries } from '../../requests/entry.ts';

export const demoEntries: Entries = {
  // The test database has its own demo organizations, but not the seeded one.
  getDemoAccess: { expect: 404 },
};
