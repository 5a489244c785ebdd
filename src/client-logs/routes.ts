// What went wrong in somebody's browser, as the browser tells it. Who it was and when is what the service knows itself.
import { route } from '../kernel/route.ts';
import { anySignedIn } from '../kernel/scopes.ts';
import { storedOrganization } from '../platform/pure/platform-organization.ts';
import { masked, withoutQuery } from './masking.ts';
import { ClientLogBatch, ClientLogReceipt } from './schemas.ts';
import { appendLogs, type ClientLogRow, claimBatch } from './store.ts';

const logClientEntries = route({
  method: 'post',
  path: '/api/logs/client',
  operation: 'logClientEntries',
  summary: 'Report warnings and errors of a browser: one batch a person within 5 seconds',
  tag: 'logging',
  allow: 'signed in',
  scope: anySignedIn,
  demo: 'loop',
  body: ClientLogBatch,
  answers: { 202: ClientLogReceipt },
  errors: ['RATE_LIMITED'],
  run: async ({ trx, actor, body, now, log }) => {
    const reporter = { organizationId: storedOrganization(actor.organizationId), userId: actor.userId };
    await claimBatch(trx, reporter, now);
    const rows = body.entries.map(rowOf);
    await appendLogs(trx, reporter, rows, now);
    for (const { level, ...client } of rows) log[level]({ client, orgId: actor.organizationId }, 'client log');
    return { status: 202 as const, body: { accepted: rows.length } };
  },
});

const rowOf = ({ level, message, code, url, at }: ClientLogBatch['entries'][number]): ClientLogRow => ({
  level,
  message: masked(message),
  code: code ?? null,
  url: url === undefined ? null : withoutQuery(url),
  clientAt: at ?? null,
});

export const clientLogRoutes = [logClientEntries];
