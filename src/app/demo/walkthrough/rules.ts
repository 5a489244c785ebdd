// A change of a rule, step by step: a threshold is set wherever it stands, simulated, approved by a second person, activated and
// taken back.
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiCall, type Client, clientOf, requireSuccess, WalkthroughError } from './client.ts';

export interface RuleWalkthroughInput {
  readonly address: string;
  /** Prints one line. */
  readonly say: (line: string) => void;
}

/** The share of wrong answers at which an error pattern counts as shown. */
const constantId = 'DTH-DEF-01';

/** The accounts of `docs/walkthrough/requests.sh`, so that both can be run on one service. */
const author = { email: 'me@example.org', password: 'a long secret', fullNameAr: 'مديرة النظام' };
const approver = { email: 'colleague@example.org', password: 'another secret', fullNameAr: 'زميلة' };

export async function changeRule({ address, say }: RuleWalkthroughInput): Promise<void> {
  const client = clientOf(address);
  const me = await signInAuthor(client);
  await me('POST', '/api/users', { ...approver, primaryPersona: 'ADMIN', scope: 'SUPER' });
  const colleague = await client.signIn(approver.email, approver.password);
  say(`1. Signed in as ${author.email}, who writes rules, and as ${approver.email}, who approves them.`);
  const path = await startChange(me, say);
  await checkChange(me, path, say);
  const reportHash = await simulate(me, colleague, path, say);
  await putIntoForce({ me, colleague, path, reportHash, say });
}

/** Only the first person can register; on a repetition the account exists. */
async function signInAuthor(client: Client): Promise<ApiCall> {
  await client.call('POST', '/api/auth/register', { ...author, primaryPersona: 'ADMIN' });
  return client.signIn(author.email, author.password).catch(() => {
    throw new WalkthroughError(
      'Another person has registered as the administrator of this service. Delete .data to start anew.',
    );
  });
}

type Say = RuleWalkthroughInput['say'];

interface Change {
  readonly changeId: string;
  readonly title: string;
  readonly state: string;
  readonly sha256: string;
  readonly etag: string;
  readonly level: string | null;
  readonly documents: readonly { readonly family: string; readonly key: string }[];
}

/** Returns the path of the change. */
async function startChange(me: ApiCall, say: Say): Promise<string> {
  const { value } = requireSuccess<{ value: number }>(await me('GET', `/api/admin/rule-constants/${constantId}`));
  const wanted = nextValue(value);
  const body = { title: `Shown ends at ${wanted}`, constants: [{ constantId, value: wanted }] };
  const change = requireSuccess<Change>(await me('POST', '/api/admin/rule-changes', body));
  const documents = change.documents.map(({ family, key }) => `${family}/${key}`).join(', ');
  say(`\n2. ${constantId} is ${value} and becomes ${wanted}, wherever it stands: ${documents}.`);
  return `/api/admin/rule-changes/${change.changeId}`;
}

/** A hundredth more, but less on an untouched service, where more would change nothing. */
const nextValue = (value: number): number => (value === 0.2 ? 0.15 : Math.round(value * 100 + 1) / 100);

interface Check {
  readonly valid: boolean;
  readonly level: string | null;
  readonly findings: readonly {
    readonly family: string;
    readonly key: string;
    readonly level: string;
    readonly message: string;
    readonly proposedCases?: readonly { readonly name: string }[];
  }[];
}

/** Accepts the proposed cases, which a person would read. */
async function checkChange(me: ApiCall, path: string, say: Say): Promise<void> {
  const { findings } = requireSuccess<Check>(await me('POST', `${path}/check`, {}));
  const cases = findings.flatMap(({ family, key, proposedCases = [] }) =>
    proposedCases.map(({ name }) => ({ family, key, name })),
  );
  if (cases.length > 0) {
    const { etag } = requireSuccess<Change>(await me('GET', path));
    const accepted = { cases, acceptedChange: 'the threshold moves' };
    requireSuccess(await me('POST', `${path}/accept-cases`, accepted, { 'if-match': etag }));
  }
  const { valid, level } = requireSuccess<Check>(await me('POST', `${path}/check`, {}));
  if (!valid) throw new WalkthroughError('The check found errors; read them with GET of the change.');
  say(`\n3. Checked: a ${level} change. ${cases.length} golden cases answer otherwise now and are accepted.`);
  requireSuccess(await me('POST', `${path}/submit`, {}));
}

interface Impact {
  readonly state: string;
  readonly report?: {
    readonly reportHash: string;
    readonly students: { readonly evaluated: number; readonly changed: number };
    readonly layers: readonly {
      readonly layer: string;
      readonly transitions: readonly { readonly from: string; readonly to: string; readonly count: number }[];
    }[];
  };
}

/** Returns the hash of the report. */
async function simulate(me: ApiCall, colleague: ApiCall, path: string, say: Say): Promise<string> {
  const { jobId } = requireSuccess<{ jobId: string }>(
    await me('POST', `${path}/impact`, { scope: { platform: true } }),
  );
  const read = async () => requireSuccess<Impact>(await colleague('GET', `/api/admin/impact/${jobId}`));
  const { report } = await until(read, ({ state }) => state === 'done');
  if (!report) throw new WalkthroughError('The simulation has no report.');
  const { evaluated, changed } = report.students;
  say(`\n4. Simulated on the stored evidence: ${changed} of ${evaluated} students would have another result.`);
  for (const { from, to, count } of report.layers.find(({ layer }) => layer === 'SSR')?.transitions ?? []) {
    if (from !== to) say(`   ${count} × ${from} → ${to}`);
  }
  return report.reportHash;
}

interface Deciding {
  readonly me: ApiCall;
  readonly colleague: ApiCall;
  readonly path: string;
  readonly reportHash: string;
  readonly say: Say;
}

async function putIntoForce({ me, colleague, path, reportHash, say }: Deciding): Promise<void> {
  const { sha256 } = requireSuccess<Change>(await colleague('GET', path));
  const { state } = requireSuccess<Change>(await colleague('POST', `${path}/approve`, { sha256, reportHash }));
  say(`\n5. The colleague approves exactly these texts and this report: ${state}.`);
  requireSuccess(await me('POST', `${path}/activate`, { reason: 'evidence_update' }));
  say('   Activated: all documents of the change came into force at one moment.');
  requireSuccess(await me('POST', `${path}/rollback`, { reason: 'none_fits' }));
  say('\n6. Rolled back, as one: a new entry of the timeline. Every result keeps the versions it was made with.');
}

const pollMs = 250;
const timeoutMs = 120_000;

async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const value = await read();
    if (isDone(value)) return value;
    await sleep(pollMs);
  }
  throw new WalkthroughError('It took more than two minutes. Do workers run (WORKERS=embedded, or npm run worker)?');
}
