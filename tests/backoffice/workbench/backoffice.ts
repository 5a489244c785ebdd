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
  readonly quorum?: number;
  readonly upTo: 'validate' | 'submit' | 'approve';
}

export interface TakenChange {
  readonly address: string;
  readonly changeId: string;
  readonly sha256: string;
  readonly etag: string;
}

const changes = '/api/admin/rule-changes';

/** Takes texts by name as far as asked, accepting the cases that the check proposes; the editor writes, the author asks. */
export async function takeChange(
  { author, editor, approver }: Backoffice,
  documents: Readonly<Record<string, Json>>,
  { quorum = 1, upTo }: Steps,
): Promise<TakenChange> {
  const made = await author.post(changes, { title: 'A change of a test' });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const address = `${changes}/${made.body.changeId}`;
  for (const [name, document] of Object.entries(documents)) {
    const { version: _version, ...meta } = document.meta as Json;
    const headers = { 'if-match': String((await author.get(address)).body.etag) };
    const text = { document: { ...document, meta } };
    const put = await editor.request('PUT', `${address}/documents/${name}`, text, headers);
    assert.is(put.status, 201, JSON.stringify(put.body));
  }
  await checked({ author, editor }, address);
  if (upTo !== 'validate') {
    const sent = await author.post(`${address}/submit`, { quorum });
    assert.is(sent.body.state, 'in_review', JSON.stringify(sent.body));
  }
  const { sha256, etag } = (await author.get(address)).body;
  if (upTo === 'approve') {
    const approved = await approver.post(`${address}/approve`, { sha256 });
    assert.is(approved.body.state, 'published', JSON.stringify(approved.body));
  }
  return { address, changeId: String(made.body.changeId), sha256: String(sha256), etag: String(etag) };
}

/** Begins a change of one document. */
export function beginChange(member: Member, name: string, text: Json = {}): Promise<JsonReply> {
  const [family, key] = name.split('/');
  return member.post(changes, { title: 'A change of a test', documents: [{ family, key, ...text }] });
}

export const addressOf = ({ body }: JsonReply): string => `${changes}/${body.changeId}`;

interface Finding {
  readonly family: string;
  readonly key: string;
  readonly level: string;
  readonly code: string;
  readonly proposedCases?: readonly { readonly name: string }[];
}

const acceptingRounds = 3;

/** What a person does who has read the findings: accepts the proposed cases with a reason, until no error is left. */
export async function checked(
  { author, editor }: Pick<Backoffice, 'author' | 'editor'>,
  address: string,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const { body } = await author.post(`${address}/check`, {});
    const errors = (body.findings as Finding[] | undefined)?.filter(({ level }) => level === 'error');
    if (errors?.length === 0) return;
    assert.ok(errors && round < acceptingRounds, JSON.stringify(body));
    const cases = errors.flatMap(({ family, key, proposedCases = [] }) =>
      proposedCases.map(({ name }) => ({ family, key, name })),
    );
    const answer = { cases, acceptedChange: 'the threshold moves' };
    const accepted = await editor.request('POST', `${address}/accept-cases`, answer, { 'if-match': String(body.etag) });
    assert.is(accepted.status, 200, JSON.stringify(accepted.body));
  }
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
