// The teacher's part of the walkthrough: waits for results, reads them, and replays the session.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiCall, requireSuccess, WalkthroughError } from './client.ts';

export interface DomainStatus {
  readonly asOf: string | null;
  readonly pending: boolean;
  readonly outcome: string;
  readonly halted: boolean;
  readonly nextRecommendedDataAction?: string;
  readonly domains: readonly {
    readonly domainCode: string;
    readonly nameAr: string;
    readonly status: string | null;
    readonly outcome: string;
    readonly inScope: number;
    readonly decided: number;
  }[];
  readonly tiles: readonly { readonly tileCode: string; readonly nameAr: string; readonly status: string }[];
  readonly global: { readonly status: string };
}

const pollMs = 250;
const timeoutMs = 60_000;

/**
 * Returns the statuses after the session that ended at `finishedAt` (ISO 8601, the service's clock). Throws
 * WalkthroughError after a minute.
 */
export async function awaitStatuses(call: ApiCall, studentId: number, finishedAt: string): Promise<DomainStatus> {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    const status = requireSuccess<DomainStatus>(await call('GET', `/api/sse/students/${studentId}/domain-status`));
    if (!status.pending && status.asOf !== null && status.asOf >= finishedAt) return status;
    await sleep(pollMs);
  }
  throw new WalkthroughError(
    'The results did not come within a minute. Do workers run (WORKERS=embedded, or npm run worker)?',
  );
}

export async function finishedAt(call: ApiCall, sessionId: string): Promise<string> {
  const session = requireSuccess<{ finishedAt: string | null }>(await call('GET', `/api/engine/sessions/${sessionId}`));
  return session.finishedAt ?? '';
}

export interface ReplayResult {
  readonly stored: readonly unknown[];
  readonly mismatches: readonly unknown[];
  readonly match: boolean;
  readonly rowsWritten: number;
}

export const replay = async (call: ApiCall, sessionId: string): Promise<ReplayResult> =>
  requireSuccess(await call('POST', `/api/engine/replay/${sessionId}`, {}));

/** Arabic names are last, because terminals disagree on their width. */
export function statusTable({ domains }: Pick<DomainStatus, 'domains'>): string[] {
  const rows = domains.map(({ domainCode, status, outcome, decided, inScope, nameAr }) => {
    const seen = inScope === 0 ? '-' : `${decided}/${inScope}`;
    return [domainCode, status ?? outcome, seen, nameAr];
  });
  const table = [['domain', 'status', 'decided', ''], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
