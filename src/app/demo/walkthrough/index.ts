// The main job of the service, step by step: a child takes a diagnostic, and the teacher reads the results.
import { classes, studentKey, studentsPerClass, teacherKeys } from '../engine/roster.ts';
import { demoEmail, demoPassword, sandbox } from '../logins.ts';
import { answerAll, type StartedVisit, startPart } from './child.ts';
import { type ApiCall, type Client, clientOf, WalkthroughError } from './client.ts';
import { type Reader, randomFor, readers } from './reader.ts';
import { awaitStatuses, finishedAt, replay, statusTable } from './teacher.ts';

export { WalkthroughError } from './client.ts';
export { readers } from './reader.ts';
export { changeRule } from './rules.ts';

export interface WalkthroughInput {
  readonly address: string;
  /** A key of `readers`. */
  readonly child: string;
  /** First student to try, 1 to 100. */
  readonly student: number;
  readonly fast: boolean;
  /** Prints one line. */
  readonly say: (line: string) => void;
  /** Draws progress; `share` is from 0 to 1. */
  readonly draw: (share: number, label: string) => void;
}

export async function walkThrough(input: WalkthroughInput): Promise<void> {
  const { address, say } = input;
  const reader = readers[input.child];
  if (!reader) throw new WalkthroughError(`--child must be one of ${Object.keys(readers).join(', ')}.`);
  const client = clientOf(address);
  await findDemo(client, input);
  const child = await signInChild(client, input);
  say(
    `\n3. The child ${reader.description}. It knows no answer: it takes what looks most like what it hears or reads.`,
  );
  await sit(child, reader, input);
  await lookAsTeacher(client, child, input);
  say('\nRun it again: the same child takes the next part, and then another child has its turn.');
}

async function findDemo({ call }: Client, { address, say }: WalkthroughInput): Promise<void> {
  const { status } = await call('GET', '/api/demo/access');
  if (status !== 200) throw new WalkthroughError(`${address} has no demo data (SEED_DEMO=false, or production).`);
  say(`1. The service at ${address} has a demo. Its sandbox can be written to, so the child goes there.`);
}

interface SignedInChild {
  readonly call: ApiCall;
  readonly started: StartedVisit;
  readonly studentId: number;
  readonly classIndex: number;
}

/** Signs in as the first child, from the requested one on, who has a part left to take. */
async function signInChild(client: Client, { student, say }: WalkthroughInput): Promise<SignedInChild> {
  const count = classes.length * studentsPerClass;
  for (let tried = 0; tried < count; tried++) {
    const index = (student - 1 + tried) % count;
    const classIndex = Math.floor(index / studentsPerClass);
    const email = demoEmail(studentKey(classIndex, index % studentsPerClass), sandbox);
    const call = await client.signIn(email, demoPassword);
    const started = await startPart(call);
    if (!started) continue;
    const me = (await call('GET', '/api/auth/me')).body as { id: number; fullNameAr: string };
    say(`2. Signed in as ${email}, ${me.fullNameAr}, grade ${classes[classIndex]?.grade}.`);
    const { formCode, partIndex, partCount, resumed } = started;
    say(`   ${resumed ? 'Goes on with' : 'Starts'} ${formCode}, part ${partIndex} of ${partCount}.`);
    return { call, started, studentId: me.id, classIndex };
  }
  throw new WalkthroughError('Every child of the sandbox has taken every part of this season.');
}

async function sit(
  { call, started, studentId }: SignedInChild,
  reader: Reader,
  input: WalkthroughInput,
): Promise<void> {
  const { fast, say, draw } = input;
  say(
    fast
      ? '   No time is taken to read (--fast): the service will notice how quick the answers are, and doubt them.'
      : '   It takes a moment for each item, because quicker answers would count as guesses (--fast does not wait).',
  );
  const finished = await answerAll(call, started, {
    reader,
    random: randomFor(`${studentId}/${started.sessionId}`),
    fast,
    onProgress: ({ answered, maxItems }) => draw(answered / maxItems, `${answered} answered, at most ${maxItems}`),
  });
  draw(1, `${finished.answered} answered`);
  say(`\n   Finished (${finished.finishReason}). The child sees neither right nor wrong, and no status.`);
}

async function lookAsTeacher(client: Client, child: SignedInChild, { say }: WalkthroughInput): Promise<void> {
  const [teacher = ''] = teacherKeys(child.classIndex);
  const email = demoEmail(teacher, sandbox);
  const call = await client.signIn(email, demoPassword);
  const { sessionId } = child.started;
  say(`\n4. Signed in as ${email}, the teacher of the class. Waits for the engine…`);
  const status = await awaitStatuses(call, child.studentId, await finishedAt(call, sessionId));
  say(`   Results as of ${status.asOf}:\n`);
  for (const line of statusTable(status)) say(`   ${line}`);
  const action = status.nextRecommendedDataAction;
  say(`\n   Overall: ${status.global.status}; outcome ${status.outcome}${action ? `, next: ${action}` : ''}.`);
  const { match, stored, mismatches } = await replay(call, sessionId);
  say(
    `\n5. Replayed from what the session pinned: ${stored.length} estimates, ${mismatches.length} differences, match ${match}.`,
  );
}
