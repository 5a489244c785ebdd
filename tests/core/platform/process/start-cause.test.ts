// Why a process cannot start, in one line with the way out.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { creationError } from '#core/platform/postgres/cluster.ts';
import { causeOf } from '#core/platform/process/start-cause.ts';

const databaseError = (code: string, message: string) => Object.assign(new Error(message), { severity: 'ERROR', code });
const ofInitdb = (stderr: string) =>
  Object.assign(new Error('Command failed: /opt/bin/initdb -D /data/pg -U postgres\nmore'), { stderr });

const noRoom = /^There is no room left on the disk/;
const statement = 'create table x (\n  id bigint\n) - could not extend file "base/5/2608": No space left on device';

const causes: Readonly<Record<string, readonly [error: unknown, line: RegExp]>> = {
  'a full disk in a statement': [databaseError('53100', statement), noRoom],
  'a full disk in the words of the server': [new Error(`x; ${statement}`), noRoom],
  'a full disk in a file of the process': [Object.assign(new Error('write'), { code: 'ENOSPC' }), noRoom],
  'a full disk at the creation': [
    creationError(ofInitdb(`FATAL:  could not write: No space left on device\n`)),
    noRoom,
  ],
  'no memory': [databaseError('53200', statement.replace(/ - .*/s, '')), /no memory left \(SQLSTATE 53200\)/],
  'a broken disk': [databaseError('58030', 'create x\nfailed'), /cannot read or write its disk \(SQLSTATE 58030\)/],
  'a missing right': [databaseError('42501', 'create x\nfailed'), /refused a statement \(SQLSTATE 42501\); compare/],
  'a user without a name': [
    creationError(ofInitdb('initdb: could not look up effective user ID 12345: user does not exist\n')),
    /^PostgreSQL needs an account with a name for user 12345: add a line to \/etc\/passwd, or set DATABASE_URL\.$/,
  ],
  'another fault of initdb': [
    creationError(ofInitdb('running…\ninitdb: error: invalid locale settings\n')),
    /^The embedded PostgreSQL could not be created: initdb: error: invalid locale settings$/,
  ],
  'an error without such words': [new Error('first line\nsecond'), /^first line$/],
};

for (const [kind, [error, line]] of Object.entries(causes)) {
  test(`${kind}: one line`, () => {
    const cause = causeOf(error);
    assert.match(cause, line);
    assert.not.match(cause, /\n|create (x|table)/);
  });
}

test.run();
