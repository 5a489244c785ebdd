// Sampling: the first call per subject and time window.

/** Maximum number of tracked subjects; beyond it the oldest are dropped and count as new. */
const maxSubjects = 10_000;

/** Returns true for the first call with a subject, and again when `windowMs` have passed since that call. */
export function firstOfWindow(windowMs: number): (subject: string, now: Date) => boolean {
  const openedAt = new Map<string, number>();
  return (subject, now) => {
    const opened = openedAt.get(subject);
    if (opened !== undefined && now.getTime() - opened < windowMs) return false;
    openedAt.delete(subject);
    openedAt.set(subject, now.getTime());
    const oldest = openedAt.size > maxSubjects ? openedAt.keys().next().value : undefined;
    if (oldest !== undefined) openedAt.delete(oldest);
    return true;
  };
}
