// A connection as administrators see it: nothing of what opens it.
import type { LmsConnection } from './rows.ts';

export const presentConnection = ({ id, provider, status, lastSyncAt }: LmsConnection) => ({
  id,
  provider,
  connectionStatus: status,
  lastSyncAt,
});
