// Proof that a published version never changes: its hashes, as they were when it was frozen.

export interface LockEntry {
  /** SHA-256 of the RFC 8785 text. */
  readonly sha256: string;
  /** The same of the golden cases; null where a document has none. */
  readonly goldenSha256: string | null;
}

/** `family/key@version` → hashes. */
export type FrozenLock = Readonly<Record<string, LockEntry>>;

/** A frozen text that is no longer what it was. */
export class FrozenError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('; '));
    this.name = 'FrozenError';
  }
}

/** One line for each frozen document that changed or is gone. */
export function lockBreaches(lock: FrozenLock, present: FrozenLock): string[] {
  return Object.entries(lock).flatMap(([id, frozen]) => {
    const found = present[id];
    if (!found) return [`${id} is frozen but its file is missing`];
    if (found.sha256 !== frozen.sha256) return [`${id} is frozen and was changed; publish a new version instead`];
    if (found.goldenSha256 !== frozen.goldenSha256) return [`the golden cases of ${id} are frozen and were changed`];
    return [];
  });
}

/** Documents that are not frozen yet. */
export const unlocked = (lock: FrozenLock, present: FrozenLock): string[] =>
  Object.keys(present).filter((id) => !Object.hasOwn(lock, id));

/** The lock with `added` in it. Throws FrozenError when something already frozen differs. */
export function extendLock(lock: FrozenLock, present: FrozenLock, added: readonly string[]): FrozenLock {
  const breaches = lockBreaches(lock, present);
  if (breaches.length > 0) throw new FrozenError(breaches);
  return { ...lock, ...Object.fromEntries(Object.entries(present).filter(([id]) => added.includes(id))) };
}

/** One entry a line, sorted, for a readable diff. */
export function lockText(lock: FrozenLock): string {
  const lines = Object.keys(lock)
    .sort()
    .map((id) => `  ${JSON.stringify(id)}: ${JSON.stringify(lock[id])}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
