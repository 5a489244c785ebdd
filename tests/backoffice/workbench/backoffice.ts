// Backoffice people of a test, and the steps that they take again and again.
import * as assert from 'uvu/assert';
import type { Db } from '#core/platform/db.ts';
import { canonicalJson, sha256Hex } from '#core/platform/pure/canonical-json.ts';
import { buildSuperAdmin, signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';

export type Json = Record<string, unknown>;

export interface Member {
  readonly id: number;
  get(path: string): Promise<JsonReply>;
  post(path: string, body: unknown): Promise<JsonReply>;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<JsonReply>;
}

export interface JsonReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json & { details?: { field: string; issue: string }[] };
}

export interface Backoffice {
  readonly author: Member;
  readonly editor: Member;
  readonly approver: Member;
  readonly secondApprover: Member;
}

export async function buildBackoffice(app: TestApp): Promise<Backoffice> {
  const [author, editor, approver, secondApprover] = [
    await member(app),
    await member(app),
    await member(app),
    await member(app),
  ];
  return { author, editor, approver, secondApprover };
}

async function member(app: TestApp): Promise<Member> {
  const user = await buildSuperAdmin(app.database.owner);
  const token = await signIn(app, user);
  const request: Member['request'] = async (method, path, body, headers = {}) =>
    asJson(await app.request(method, path, { token, ...(body !== undefined && { body }), headers }));
  return {
    id: user.id,
    request,
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
  };
}

const asJson = ({ status, headers, body }: Reply): JsonReply => ({
  status,
  headers,
  body: (body ?? {}) as JsonReply['body'],
});

/** The document with other values of constants, and with the literals that stand for them. */
export function changedConstants(document: Json, values: Readonly<Record<string, number>>): Json {
  const change = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const changed = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]));
    const reference = changed.valueRef;
    return typeof reference === 'string' && reference in values ? { ...changed, value: values[reference] } : changed;
  };
  const { constants = {}, ...rest } = document;
  const named = Object.entries(constants as Record<string, Json>).map(([id, constant]) => [
    id,
    id in values ? { ...constant, value: values[id] } : constant,
  ]);
  return { ...(change(rest) as Json), ...(named.length > 0 && { constants: Object.fromEntries(named) }) };
}

interface Steps {
  readonly baseVersion: number;
  readonly quorum?: number;
  readonly upTo: 'validate' | 'submit' | 'approve';
}

export interface SubmittedDraft {
  readonly address: string;
  readonly draftId: string;
  readonly sha256: string;
  readonly etag: string;
}

/** Takes a document as far as asked, blessing the cases that validation proposes; the editor writes, the author asks. */
export async function takeDraft(
  { author, editor, approver }: Backoffice,
  name: string,
  document: Json,
  { baseVersion, quorum = 1, upTo }: Steps,
): Promise<SubmittedDraft> {
  const path = `/api/admin/rule-sets/${name}/drafts`;
  const meta = { ...(document.meta as Json), version: baseVersion + 1 };
  const made = await author.post(path, { baseVersion });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const address = `${path}/${made.body.draftId}`;
  const text = { document: { ...document, meta } };
  let edited = await editor.request('PUT', address, text, { 'if-match': `"${made.body.etag}"` });
  assert.is(edited.status, 200, JSON.stringify(edited.body));
  let findings = await findingsOf(author, address);
  for (let round = 0; findings.length > 0; round += 1) {
    assert.ok(round < blessingRounds, JSON.stringify(findings));
    const cases = acceptedCases(edited.body.cases as Case[], findings);
    edited = await editor.request('PUT', address, { ...text, cases }, { 'if-match': `"${edited.body.etag}"` });
    assert.is(edited.status, 200, JSON.stringify(edited.body));
    findings = await findingsOf(author, address);
  }
  if (upTo !== 'validate') {
    const sent = await author.post(`${address}/submit`, { quorum });
    assert.is(sent.body.state, 'in_review', JSON.stringify(sent.body));
  }
  const sha256 = String(edited.body.sha256);
  if (upTo === 'approve') assert.is((await approver.post(`${address}/approve`, { sha256 })).body.state, 'published');
  return { address, draftId: String(made.body.draftId), sha256, etag: String(edited.body.etag) };
}

interface Case {
  readonly name: string;
}
interface Finding {
  readonly level: string;
  readonly code: string;
  readonly proposedCases?: readonly Case[];
}

const blessingRounds = 3;

/** Those of level error. */
async function findingsOf(author: Member, address: string): Promise<Finding[]> {
  const { body } = await author.post(`${address}/validate`, {});
  return (body.findings as Finding[]).filter(({ level }) => level === 'error');
}

/** What a person does who has read the findings: blesses the proposed cases, with a reason where one was there before. */
function acceptedCases(cases: readonly Case[], findings: readonly Finding[]): Case[] {
  const proposed = findings.flatMap(({ proposedCases = [] }) => proposedCases);
  const known = new Set(cases.map(({ name }) => name));
  const blessed = proposed.map((one) =>
    known.has(one.name) ? { ...one, acceptedChange: 'the threshold moves' } : one,
  );
  const names = new Set(blessed.map(({ name }) => name));
  return [...cases.filter(({ name }) => !names.has(name)), ...blessed];
}

/** A version that is there as if a release had brought it: for tests of what comes after publication. */
export async function installVersion(owner: Db, document: Json): Promise<void> {
  const { family, key, version } = document.meta as { family: string; key: string; version: number };
  const text = canonicalJson(document);
  const row = { family, key, version, document: text, sha256: sha256Hex(text), publishedAt: new Date(0) };
  await owner('rule_version').insert(row);
}

/** The shipped document with other values of constants, as its next version. */
export async function nextVersion(owner: Db, name: string, values: Readonly<Record<string, number>>): Promise<Json> {
  const [family, key] = name.split('/');
  const row = await owner('rule_version').where({ family, key }).orderBy('version', 'desc').first();
  const document = changedConstants(JSON.parse(row.document), values);
  return { ...document, meta: { ...(document.meta as Json), version: row.version + 1 } };
}
