// The folder of keys, passwords and the embedded server: nobody else's to read, and yet the server's account has to
// walk through it to its own part.
import fs from 'node:fs';
import path from 'node:path';

/** PostgreSQL refuses to run as root; as root it is started under this existing, unprivileged account. */
export interface ServerAccount {
  readonly uid: number;
  readonly gid: number;
}

/** Where the folder is there already its rights are its owner's business. */
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
