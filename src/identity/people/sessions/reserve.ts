// Connections of the ways in: whoever signs in or refreshes a session does not wait for those that requests and jobs hold.
import type { Services } from '#core/module/services.ts';
import { hasFreeConnection, poolsOf } from '#core/platform/connections/pools.ts';

/**
 * The services of one sign-in: each of its transactions takes one of the common connections while there is a free one, else
 * one of the reserve. So a row that it has to wait for rarely holds the reserve, which limits and readiness need as well.
 */
export const signInServices = (services: Services): Services => ({
  ...services,
  get db() {
    return hasFreeConnection(poolsOf(services.db).platform) ? services.db : services.reserve;
  },
});
