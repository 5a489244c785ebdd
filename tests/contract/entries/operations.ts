// Liveness, metrics and the API description.
import type { TestApp } from '../../harness/http.ts';
import type { Entries } from '../requests/entry.ts';

/** Returns the newest version with another threshold. */
async function changedChecks({ database }: TestApp) {
  const row: { document: string; version: number } = await database
    .owner('rule_version')
    .where({ family: 'qa', key: 'checks' })
    .orderBy('version', 'desc')
    .first('document', 'version');
  const { checks } = JSON.parse(row.document) as { checks: readonly { qaCheckId: string; threshold: number | null }[] };
  const changed = checks.map((check) =>
    check.qaCheckId === 'OUTBOX_STUCK' ? { ...check, threshold: (check.threshold ?? 0) + 1 } : check,
  );
  return { body: { baseVersion: row.version, checks: changed } };
}

export const operationsEntries: Entries = {
  getLiveness: {},
  logClientEntries: {
    request: () => ({
      body: { entries: [{ level: 'warn', message: 'a button does nothing', code: 'ui.dead-button' }] },
    }),
  },
  getReadiness: {},
  // The request comes from the loopback address, which needs no permission.
  getMetrics: { expect: 200 },
  listSecurityEvents: {},
  listQaChecks: {},
  listRuntimeAlerts: {},
  getQaAuditSummary: {},
  publishQaChecks: { request: ({ app }) => changedChecks(app) },
  getOpenApi: {},
  getHome: {},
  getHomeFile: { request: () => ({ params: { file: 'README.md' } }) },
  // No recordings are shipped.
  getContentAudio: { request: () => ({ params: { hash: '0'.repeat(64) } }), expect: 404 },
  getApiDocs: {},
  getQueueBoard: {},
  getApiDocsFile: { request: () => ({ params: { file: 'start.js' } }) },
};
