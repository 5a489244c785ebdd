// Every route's entry. A route without one fails the walks.
import type { Entries, Entry } from '../entry.ts';
import { identityEntries } from './identity.ts';
import { measurementEntries } from './measurement.ts';
import { operationsEntries } from './operations.ts';
import { tenancyEntries } from './tenancy.ts';

const entries: Entries = { ...identityEntries, ...tenancyEntries, ...measurementEntries, ...operationsEntries };

export const entryNames = Object.keys(entries);

export function entryOf(operation: string): Entry {
  const entry = entries[operation];
  if (!entry) throw new Error(`${operation} has no entry in tests/contract/entries/: say how its request is made`);
  return entry;
}
