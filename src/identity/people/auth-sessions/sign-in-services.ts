// Database connections for sign-in and refresh, which do not wait for the connections in use by requests and jobs.
import type { Services } from '#core/module/services.ts';
import { hasFreeConnection, poolsOf } from '#core/platform/connections/pools.ts';

/**
 * Returns services whose transactions take a common connection while one is free, otherwise one of the reserve. The reserve
 * is rarely blocked by a row lock that way; rate limits and readiness need it too.
 */
export const signInServices = (services: Services): Services => ({
  ...services,
  get db() {
    return hasFreeConnection(poolsOf(services.db).platform) ? services.db : services.reserve;
  },
});
