// Liveness, metrics and the description of the API.
import type { Entries } from '../entry.ts';

export const operationsEntries: Entries = {
  getLiveness: {},
  logClientEntries: {
    request: () => ({
      body: { entries: [{ level: 'warn', message: 'a button does nothing', code: 'ui.dead-button' }] },
    }),
  },
  getReadiness: {},
  // The walk calls from this machine, which needs no permission.
  getMetrics: { expect: 200 },
  listSecurityEvents: {},
  listQaChecks: {},
  listRuntimeAlerts: {},
  getQaAuditSummary: {},
  getOpenApi: {},
  getHome: {},
  getHomeFile: { request: () => ({ params: { file: 'README.md' } }) },
  // No recordings are shipped.
  getContentAudio: { request: () => ({ params: { hash: '0'.repeat(64) } }), expect: 404 },
  getApiDocs: {},
  getApiDocsFile: { request: () => ({ params: { file: 'start.js' } }) },
};
