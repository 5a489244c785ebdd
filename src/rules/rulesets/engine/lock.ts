// The frozen lock: hashes of published versions, which must never change.

export interface LockEntry {
  /** SHA-256 of the RFC 8785 text. */
  readonly sha256: string;
  /** SHA-256 of the golden cases; null when the document has none. */
  readonly goldenSha256: string | null;
}

/** `family/key@version` → hashes. */
export type FrozenLock = Readonly<Record<string, LockEntry>>;

/** A frozen text has changed. */
export class FrozenError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('; '));
    this.name = 'FrozenError';
  }
}

/** Returns one line for each frozen document that changed or is missing. */
export function lockBreaches(lock: FrozenLock, present: FrozenLock): string[] {
  return Object.entries(lock).flatMap(([id, frozen]) => {
    const found = present[id];
    if (!found) return [`${id} is frozen but its file is missing`];
    if (found.sha256 !== frozen.sha256) return [`${id} is frozen and was changed; publish a new version instead`];
    if (found.goldenSha256 !== frozen.goldenSha256) return [`the golden cases of ${id} are frozen and were changed`];
    return [];
  });
}

/** Returns the ids of documents that are not frozen yet. */
export const unlocked = (lock: FrozenLock, present: FrozenLock): string[] =>
  Object.keys(present).filter((id) => !Object.hasOwn(lock, id));

/** Returns the lock with `added`. Throws FrozenError when a frozen text differs. */
export function extendLock(lock: FrozenLock, present: FrozenLock, added: readonly string[]): FrozenLock {
  const breaches = lockBreaches(lock, present);
  if (breaches.length > 0) throw new FrozenError(breaches);
  return { ...lock, ...Object.fromEntries(Object.entries(present).filter(([id]) => added.includes(id))) };
}

/** Returns the text of the lock file, one sorted entry a line. */
export function frozenLockText(lock: FrozenLock): string {
  const lines = Object.keys(lock)
    .sort()
    .map((id) => `  ${JSON.stringify(id)}: ${JSON.stringify(lock[id])}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
