// Who may sign in to the demo.
import type { Entries } from '../../requests/entry.ts';

export const demoEntries: Entries = {
  // The walk's database has demo organizations of its own, but not the seeded one.
  getDemoAccess: { expect: 404 },
};
