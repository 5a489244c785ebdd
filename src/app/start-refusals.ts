// Checks at start that depend on the stores: whether the queue's store may lose jobs, and which accounts exist.
import type { Logger } from 'pino';
import type { Config } from '#core/platform/config/config.ts';
import { refuseEviction } from '#core/platform/config/redis-policy.ts';
import { isLoopback, minBootstrapTokenLength } from '#core/platform/config/refusals.ts';
import { ConfigError } from '#core/platform/config/settings.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { superAdminExists } from '#identity/people/index.ts';
import { demoLoginsExist, sandboxLoginsExist } from './demo/index.ts';

/** Throws ConfigError with the line to print. */
export async function refuseUnsafeStart(config: Config, db: Db, log: Logger): Promise<void> {
  await refuseEviction(config, log);
  if (config.production) {
    await refuseOpenRegistration(config, db);
    await refuseSandbox(db);
  } else if (!isLoopback(config.host) && (await demoLoginsExist(db))) {
    throw new ConfigError('HOST must be a loopback address while demo logins are seeded; this database has them.');
  }
}

/** The sandbox has a public password and can be changed. */
async function refuseSandbox(db: Db): Promise<void> {
  if (!(await sandboxLoginsExist(db))) return;
  throw new ConfigError('NODE_ENV=production needs another database: this one has the logins of the writable sandbox.');
}

/** Before the first registration, any caller could become the administrator of everything. */
async function refuseOpenRegistration({ bootstrapToken = '' }: Config, db: Db): Promise<void> {
  if (bootstrapToken.length >= minBootstrapTokenLength || (await inContext(db, 'SUPER', superAdminExists))) return;
  throw new ConfigError(
    `BOOTSTRAP_TOKEN with at least ${minBootstrapTokenLength} characters is required in production until a SUPER administrator exists.`,
  );
}
