// Scopes that load no row: the caller's own account, platform data, or what the handler enters itself.
import type { AppScope } from './route.ts';

/** No row is concerned: the caller's own account, or platform data. */
export const anySignedIn: AppScope<null> = { reach: 'self', resolve: async () => ({ row: null }) };
export const platformData: AppScope<null> = { reach: 'P', resolve: async () => ({ row: null }) };

/** The organization that ids in the body or the query belong to is entered by the handler, not by the path. */
export const ownOrganization: AppScope<null> = { reach: 'O', resolve: async () => ({ row: null }) };
