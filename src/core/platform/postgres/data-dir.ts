// The folder of keys, passwords and the embedded server: no other account may read it, but the server's account must be able to
// enter its own part.
import fs from 'node:fs';
import path from 'node:path';

/** PostgreSQL refuses to run as root; a process of root starts it as this existing, unprivileged account. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Creates the folder. The permissions of an existing one are left to its owner. */
export function ensureDataDir(dataDir: string): void {
  if (fs.existsSync(dataDir)) return;
  fs.mkdirSync(path.dirname(path.resolve(dataDir)), { recursive: true });
  try {
    fs.mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  const account = process.getuid?.() === 0 ? unprivilegedAccount() : undefined;
  if (account === undefined) return;
  fs.chownSync(dataDir, 0, account.gid);
  fs.chmodSync(dataDir, 0o710);
}

export function unprivilegedAccount(): ServerAccount | undefined {
  const list = '/etc/passwd';
  const accounts = fs.existsSync(list) ? fs.readFileSync(list, 'utf8').split('\n') : [];
  const [fields] = ['postgres', 'nobody'].flatMap((name) => {
    const line = accounts.find((account) => account.startsWith(`${name}:`));
    return line ? [line.split(':')] : [];
  });
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) };
}
