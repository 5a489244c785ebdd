// The first of many alike.

/** Beyond this many subjects the oldest are forgotten, and count as new. */
const maxSubjects = 10_000;

/** True for the first call of a subject, and again once `windowMs` have passed since that one. */
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
