// Errors reported by browsers. The service itself determines the reporter and the time of the report.
import { route } from '#core/module/route.ts';
import { anySignedIn } from '#core/module/scopes.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import { namesKnownTo } from '../people/index.ts';
import { masked, nameWordsOf, withoutQuery } from './masking.ts';
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
    const sent = body.entries.length;
    const accepted = await claimBatch(trx, reporter, sent, now);
    if (accepted === 0) return { status: 202 as const, body: { accepted } };
    const names = nameWordsOf(await namesKnownTo(trx, reporter));
    const rows = body.entries.slice(0, accepted).map((entry) => rowOf(entry, names));
    await appendLogs(trx, reporter, rows, now);
    for (const { level, code } of rows) log[level]({ client: { code, sent, accepted } }, 'client log');
    return { status: 202 as const, body: { accepted } };
  },
});

type Entry = ClientLogBatch['entries'][number];

const rowOf = ({ level, message, code, url, at }: Entry, names: ReadonlySet<string>): ClientLogRow => ({
  level,
  message: masked(message, names),
  code: code ?? null,
  url: url === undefined ? null : withoutQuery(url, names),
  clientAt: at ?? null,
});

export const clientLogRoutes = [logClientEntries];
