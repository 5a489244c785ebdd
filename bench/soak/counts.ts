// Counts of statuses, by caller or by request. Status 0: no response, a broken connection or a timeout.

export type Counts = Record<string, Record<string, number>>;

export function count(counts: Counts, name: string, status: number): void {
  const own = counts[name] ?? {};
  own[status] = (own[status] ?? 0) + 1;
  counts[name] = own;
}

export const countsText = (own: Readonly<Record<string, number>>): string =>
  Object.entries(own)
    .map(([status, times]) => `${status}×${times}`)
    .join(' ');

export function sumOf(counts: Counts, isMeant: (status: number) => boolean): number {
  const all = Object.values(counts).flatMap((own) => Object.entries(own));
  return all.reduce((sum, [status, times]) => sum + (isMeant(Number(status)) ? times : 0), 0);
}
