// Account recovery on the command line, for operators with access to the database's owner.
import { parseArgs } from 'node:util';
import { systemClock } from '#core/platform/clock.ts';
import type { Config } from '#core/platform/config/config.ts';
import { readConfig } from '#core/platform/config/read-config.ts';
import { connect, inContext } from '#core/platform/db.ts';
import { startEmbeddedServer } from '#core/platform/postgres/launcher.ts';
import { isEmail } from '#identity/people/credentials/schemas.ts';
import { createRecoveryLink, type RecoveryInput } from '#identity/people/sign-in/recovery.ts';

const usage = `npm run accounts -- recover --email <address> [--new-email <address>] [--forget-second-factor]
Makes a link that signs the account in once within 15 minutes; with --new-email the account has that address from then
on. Where a second factor is in use and not forgotten the link asks for it. To set a new password send the link's code as
currentPassword to PATCH /api/auth/password. Needs DATABASE_URL of the owner, or the DATA_DIR of the service.`;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      'new-email': { type: 'string' },
      'forget-second-factor': { type: 'boolean', default: false },
    },
  });
  const { email, 'new-email': newEmail } = values;
  if (positionals[0] !== 'recover' || email === undefined || (newEmail !== undefined && !isEmail(newEmail))) {
    console.error(usage);
    return 1;
  }
  const input = {
    email,
    removeSecondFactor: values['forget-second-factor'],
    ...(newEmail !== undefined && { newEmail }),
  };
  return recover(readConfig(process.env), input);
}

async function recover(config: Config, input: RecoveryInput): Promise<number> {
  const server = config.databaseUrl === undefined ? await startEmbeddedServer({ dataDir: config.dataDir }) : undefined;
  const owner = connect(config.databaseUrl ?? server?.url('postgres') ?? '', { poolSize: 1, asOwner: true });
  try {
    const now = systemClock(config.clockOffsetFile).now();
    const made = await inContext(owner, 'SUPER', (trx) => createRecoveryLink(trx, config, input, now));
    console.log(made ? `${made.link}\nuntil ${made.expiresAt}, once` : 'No active account has this address.');
    return made ? 0 : 1;
  } finally {
    await owner.destroy();
    if (server && !server.adopted) await server.stop();
  }
}
