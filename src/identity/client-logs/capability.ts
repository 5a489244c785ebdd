// The capability that stores errors reported by browsers.
import type { Capability } from '#core/module/capability.ts';
import { clientLogSection } from './personal-data.ts';
import { clientLogRoutes } from './routes.ts';
import { removeLogsOf } from './store.ts';

export const clientLogsCapability: Capability = {
  name: 'client-logs',
  routes: clientLogRoutes,
  retention: [
    { kind: 'clientLogs', table: 'client_log', since: 'at' },
    { kind: 'clientLogs', table: 'client_log_batch', since: 'accepted_at' },
  ],
  personalData: [clientLogSection],
  forgetsAccounts: [(trx, { organizationId, id }) => removeLogsOf(trx, { organizationId, userId: id })],
};
