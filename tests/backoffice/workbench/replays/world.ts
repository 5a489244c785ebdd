// Students with runs, and short ways to replay them and to look past row-level security.
import type { Test } from 'uvu';
import { replayModel } from '#backoffice/workbench/replays/model.ts';
import { orderNight, proveProofs } from '#backoffice/workbench/replays/nightly.ts';
import { replayRoutes } from '#backoffice/workbench/replays/routes.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import { newId } from '#core/platform/ids.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import type { DocumentName, TableDocument } from '#rules/rulesets/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Shell, type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { buildSuperAdmin, signIn, type UserRow } from '../../../harness/factories.ts';
import type { HttpClient, Reply } from '../../../harness/fetch.ts';
import type { AppOptions } from '../../../harness/http.ts';
import { shippedVersion } from '../../../harness/rules.ts';
import { useServed } from './server.ts';

export interface ReplayView {
  readonly replayId: string;
  readonly state: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly counts: { readonly same: number; readonly inputsDiffer: number; readonly rulesDiffer: number };
  readonly rows: { readonly stampId: string; readonly verdict: string; readonly fields: string[] }[];
  readonly nextCursor: string | null;
  readonly attestation: { readonly hash: string; readonly previousHash: string; readonly at: string } | null;
}

export const always = { from: '2025-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };

export interface ReplayWorld {
  readonly shell: Shell;
  readonly http: HttpClient;
  readonly owner: Db;
  token(): Promise<string>;
  get<Body>(path: string): Promise<Reply<Body>>;
  /** Asks for a replay, works it off and reads it. */
  replay(scope: object, span?: { from: string; to: string }): Promise<ReplayView>;
  work(replayId: string): Promise<void>;
  read(replayId: string): Promise<ReplayView>;
}

export function useReplays<Context>(test: Test<Context>, options: AppOptions = {}): ReplayWorld {
  const shell = useShell(test, options);
  const http = useServed(test, replayRoutes, shell.services);
  const { owner } = shell.app.database;
  let superAdmin: Promise<UserRow> | undefined;
  /** A new session each time: nights lie days apart. */
  const token = async () => {
    superAdmin ??= buildSuperAdmin(owner);
    return signIn(shell.app, await superAdmin);
  };
  const get = async <Body>(path: string) => http.get<Body>(path, { token: await token() });
  const read = async (replayId: string) => (await get<ReplayView>(`/api/admin/replays/${replayId}`)).body;
  const work = async (id: string) => {
    const { organizationId } = await owner('rule_job').where({ id }).first('organizationId');
    await runJob(shell.services, [replayModel], { id, organizationId });
  };
  const replay = async (scope: object, span = always) => {
    const body = { scope, ...span };
    const asked = await http.post<{ replayId: string }>('/api/admin/replays', body, { token: await token() });
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
    await work(asked.body.replayId);
    return read(asked.body.replayId);
  };
  return { shell, http, owner, token, get, replay, work, read };
}

/** The night of every organization. */
export async function orderNights(services: Services): Promise<void> {
  await proveProofs(services);
  const ids: string[] = await inContext(services.db, 'SUPER', (trx) => trx('organization').orderBy('id').pluck('id'));
  for (const id of ids) await orderNight(services, id);
}

/** Three runs: halts, a pattern and a strength; the later ones append few rows. */
export async function buildRuns(shell: Shell, student: Student): Promise<void> {
  const sessions = [
    { LK_SOUND: 'CCCCC', DEC_WORD: 'CTTLU', VOC_MEANING: 'UUUUC' },
    { VOC_MEANING: 'CCCCC', DEC_WORD: 'QATTC' },
    { PA_BLEND: 'CCCN', ACC_SHADDA: 'UTTU' },
  ];
  for (const [at, letters] of sessions.entries()) {
    const finishedAt = `2026-01-1${at}T07:00:00.000Z`;
    await shell.diagnostic(student, answersOf(letters, 1 + 10 * at), { finishedAt });
    shell.app.clock.set(finishedAt);
    await shell.recompute(student);
  }
}

export const runIds = async (shell: Shell, student: Student): Promise<string[]> =>
  (await shell.rows<{ id: string }>('sse_run', student)).map(({ id }) => id);

/** What no one may do: a row changed past all triggers. */
export async function byForce(owner: Db, table: string, statement: string, values: readonly unknown[]): Promise<void> {
  await owner.transaction(async (trx) => {
    await trx.raw(`alter table ${table} disable trigger user`);
    await trx.raw(statement, [...values] as string[]);
    await trx.raw(`alter table ${table} enable trigger user`);
  });
}

/** Another text of a published version for as long as the work lasts. */
export async function withAlteredText<T>(
  owner: Db,
  name: DocumentName,
  change: (document: TableDocument) => string,
  work: () => Promise<T>,
): Promise<T> {
  const [family, key] = name.split('/');
  const version = shippedVersion(name);
  const { document } = await owner('rule_version').where({ family, key, version }).first('document');
  const store = (text: string) =>
    byForce(
      owner,
      'rule_version',
      'update rule_version set document = ?, sha256 = ? where family = ? and key = ? and version = ?',
      [text, sha256Hex(text), family, key, version],
    );
  await store(change(JSON.parse(document) as TableDocument));
  try {
    return await work();
  } finally {
    await store(document);
  }
}

/** The text with another outcome on one of its rules. */
export const withOutcome = (document: TableDocument, ruleId: string, outcome: string): string =>
  canonicalJson({
    ...document,
    rules: document.rules.map((rule) =>
      rule.name === ruleId ? { ...rule, event: { ...rule.event, params: { ...rule.event.params, outcome } } } : rule,
    ),
  });

/** Runs that say nothing of their own: copies of a student's newest one, without any of its rows. */
export async function copyRuns(owner: Db, { id: studentId, organizationId }: Student, count: number): Promise<void> {
  const original = await owner('sse_run').where({ organizationId, studentId }).orderBy('seq', 'desc').first();
  const { seq: _given, ...columns } = original;
  const json = { input: JSON.stringify(columns.input), ruleVersions: JSON.stringify(columns.ruleVersions) };
  const rows = Array.from({ length: count }, () => ({ ...columns, ...json, id: newId() }));
  await owner('sse_run').insert(rows.map((row) => ({ ...row, tiles: JSON.stringify(row.tiles) })));
}
