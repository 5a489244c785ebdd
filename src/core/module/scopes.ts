// Scopes that load no row: the caller's own account, platform data, or the organization that the handler enters itself.
import type { AppScope } from './route.ts';

export const anySignedIn: AppScope<null> = { reach: 'self', resolve: async () => ({ row: null }) };
export const platformData: AppScope<null> = { reach: 'P', resolve: async () => ({ row: null }) };

/** The handler, not the path, enters the organization to which the ids in the body or the query belong. */
export const ownOrganization: AppScope<null> = { reach: 'O', resolve: async () => ({ row: null }) };
