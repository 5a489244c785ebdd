// The alert rules and the dashboard for operators: every metric is served, every alert has its section in the runbook, and
// every check is present.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { watchAll } from '#backoffice/operations/index.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { metricOf } from '../../backoffice/operations/metric.ts';
import { useApp } from '../../harness/http.ts';
import { noQueues } from '../../workers/support.ts';

const app = useApp(test);
const { owner } = app.database;
const folder = path.resolve(import.meta.dirname, '../../../docs/operations');
const text = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8');
const rules = text('prometheus-rules.yml');
const dashboard = JSON.parse(text('grafana-dashboard.json')) as {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly targets: readonly { expr: string }[];
  }[];
};
const expressions = [
  ...[...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression ?? ''),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];
const recorded = [...rules.matchAll(/record: (\S+)$/gm)].map(([, name]) => name);
/** Words of the query language, and labels. */
const words =
  /\b(?:sum|max|min|by|rate|increase|and|absent|clamp_min|histogram_quantile)\b|by \([^)]*\)|\{[^}]*\}|\[[^\]]*\]/g;
const namesIn = (expression: string): string[] =>
  expression
    .replaceAll(/by \([^)]*\)|\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(words, ' ')
    .match(/[a-z_:][a-z0-9_:]*/g) ?? [];

test.before(() => watchAll(app.services, noQueues));

test('every metric that is named is served', async () => {
  const { body } = await app.get<string>('/metrics');
  const served = new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
  const named = [...new Set(expressions.flatMap(namesIn))].filter((name) => !recorded.includes(name));
  assert.ok(named.length > 15);
  const unknown = named.filter((name) => !served.has(name) && !served.has(name.replace(/_(?:count|bucket|sum)$/, '')));
  assert.equal(unknown, []);
});

test('every alert leads to its section, and no section is without one', () => {
  const alerts = [...rules.matchAll(/- alert: (\S+)$/gm)].map(([, name]) => name ?? '');
  const runbooks = [...rules.matchAll(/README\.md#(\S+?)"/g)].map(([, anchor]) => anchor);
  assert.equal(
    runbooks,
    alerts.map((name) => name.toLowerCase()),
  );
  const sections = [...text('README.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  assert.equal(sections.toSorted(), alerts.toSorted());
});

test('panels have distinct titles', () => {
  assert.is(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  assert.is(new Set(dashboard.panels.map(({ title }) => title)).size, dashboard.panels.length);
});

test('long jobs and what checks found are counted, and age', async () => {
  const createdAt = new Date(app.clock.now().getTime() - 90_000);
  await owner('rule_job').insert({
    ...{ id: 'waits', kind: 'replay', organizationId: platformOrganizationId, subject: 'x', input: '{}' },
    ...{ state: 'queued', createdAt, updatedAt: createdAt },
  });
  await owner('platform_alert').insert({
    ...{ organizationId: platformOrganizationId, kind: 'qa', code: 'X', severity: 'critical', details: '{}' },
    ...{ dedupeKey: 'x', at: createdAt },
  });
  const { body } = await app.get<string>('/metrics');
  const labels = { kind: 'replay', state: 'queued' };
  assert.is(metricOf(body, 'long_jobs_open', labels), 1);
  assert.is(metricOf(body, 'long_jobs_oldest_seconds', labels), 90);
  assert.is(metricOf(body, 'qa_alerts_last_hour', { severity: 'critical' }), 1);
  assert.is(metricOf(body, 'qa_alerts_last_hour', { severity: 'high' }), 0);
  assert.is(metricOf(body, 'alert_announcements_waiting'), 0);
  const sizeOf = (login: string) => metricOf(body, 'db_pool_size', { login }) ?? 0;
  assert.is(sizeOf('requests') + sizeOf('platform'), app.services.config.dbPoolSize);
});

test.run();
