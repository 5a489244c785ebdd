// The main flows of the service over HTTP, with one student and one teacher, under any rules in force.
import * as assert from 'uvu/assert';
import { replayRun } from '#assessment/skill-status/index.ts';
import { recomputeStudents } from '#assessment/skill-status/recompute/recompute.ts';
import { inContext } from '#core/platform/db.ts';
import { yearOfDay } from '#rules/catalogue/index.ts';
import { child, rightIndex, type ServedBody, wrongIndex } from '../../assessment/measurement/diagnostics/child.ts';
import { teacher } from '../../assessment/measurement/fluency/teacher.ts';
import { kidOf } from '../../assessment/measurement/warmup/kid.ts';
import { answers, type StartedBody as Teaser, visitor } from '../../assessment/teaser/visitor.ts';
import { buildClass, buildStudent, type ClassRow, signIn } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Person, World } from '../../harness/world.ts';

export interface Flows {
  /** Ends after this many answers. `sessionId` is null when the rules allow no answer. */
  diagnostic(grade: number, answers: number): Promise<{ readonly person: Person; readonly sessionId: string | null }>;
  practice(): Promise<void>;
  warmup(): Promise<void>;
  fluency(grade: number): Promise<void>;
  teaser(grade: number): Promise<void>;
  /** Recomputes the student under the bundle in force and replays the result. */
  recompute(person: Person): Promise<void>;
  /** Returns the results of the student, which may be older than the rules in force. */
  readStatus(person: Person): Promise<StatusBody>;
}

export interface StatusBody {
  readonly runId: string | null;
  readonly pending: boolean;
  readonly judgedUnder: { readonly bundleId: string; readonly at: string } | null;
  readonly items: readonly { readonly evidence: { readonly distinctItems: number } }[];
}

const answered = <Body>({ status, body }: Reply<Body>, what: string): Body => {
  assert.ok(status < 500, `${what}: ${status} ${JSON.stringify(body)}`);
  return body;
};

const done = <Body>(reply: Reply<Body>, what: string): Body => {
  assert.ok(reply.status < 300, `${what}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
};

export function flowsOf(app: TestApp, world: World): Flows {
  const { owner } = app.database;
  const { organizationId, school, people } = world.own;
  const admin = () => signIn(app, people.ADMIN);
  const classes = new Map<string, ClassRow>();
  const superAdmin = () => signIn(app, world.superAdmin);

  /** The catalogue in force decides in which school year the clock is. */
  async function schoolYear(): Promise<string> {
    const now = app.clock.now();
    const day = now.toISOString().slice(0, 10);
    return (await inContext(owner, 'SUPER', (trx) => yearOfDay(app.services, trx, day, now))).name;
  }

  async function newChild(grade: number): Promise<Person> {
    const academicYear = await schoolYear();
    const key = `${grade} ${academicYear}`;
    const ofYear = { organizationId, schoolId: school.id, grade, academicYear };
    const classRow = classes.get(key) ?? (await buildClass(owner, ofYear));
    classes.set(key, classRow);
    const user = await buildStudent(owner, classRow);
    return { ...user, token: await signIn(app, user) };
  }

  async function diagnostic(grade: number, wanted: number) {
    const person = await newChild(grade);
    const taking = child(app, person);
    const { sessionId } = done(await taking.start(), 'start');
    let count = 0;
    for (let tries = 0; tries < 12 && count < wanted; tries += 1) {
      const { served, outcome } = done(await taking.next(sessionId), 'next item');
      if (!served && outcome !== 'no_eligible_item') break;
      if (!served) continue;
      count += 1;
      app.clock.advance(4_000);
      const selectedOptionIndex = count % 2 ? rightIndex(served) : wrongIndex(served);
      done(
        await taking.answer(sessionId, { servedItemId: served.servedItemId, selectedOptionIndex, latencyMs: 4_000 }),
        'answer',
      );
    }
    const finished = await taking.finish(sessionId);
    answered(finished, 'finish');
    assert.is(finished.status, count > 0 ? 200 : 409);
    if (count === 0) return { person, sessionId: null };
    return { person, sessionId };
  }

  async function practice() {
    const { person, sessionId } = await diagnostic(1, 4);
    if (sessionId === null) return;
    const replay = await app.post<{ match: boolean }>(`/api/engine/replay/${sessionId}`, {}, { token: await admin() });
    assert.is(done(replay, 'replay').match, true);
    const options = { token: await signIn(app, person) };
    const base = '/api/practice/queues';
    done(await app.post(`${base}/seed/${sessionId}`, {}, options), 'seed');
    for (let turn = 0; turn < 3; turn += 1) {
      const { served } = done(
        await app.post<{ served: ServedBody | null }>(`${base}/current/next-item`, {}, options),
        'practice item',
      );
      if (!served) return;
      app.clock.advance(3_000);
      const answer = { servedItemId: served.servedItemId, selectedOptionIndex: wrongIndex(served), latencyMs: 3_000 };
      done(await app.post(`${base}/current/submit-response`, answer, options), 'practice answer');
    }
  }

  async function warmup() {
    const kid = kidOf(app, await newChild(1));
    const started = done(await kid.start(), 'warm-up');
    if (started.warmupSessionId === undefined) return;
    const { warmupSessionId: id, items, durationSeconds } = started;
    const atMs = durationSeconds * 1_000;
    const [item] = items;
    const answer = { seq: 1, type: 'answer', atMs, itemId: item?.itemId, selectedOptionIndex: 0 };
    done(await kid.events(id, [answer]), 'warm-up event');
    assert.is((await kid.events(id, [{ seq: 2, type: 'skip', atMs: atMs + 1 }])).status, 422);
    assert.is(done(await kid.complete(id), 'complete').status, 'COMPLETED');
    const replay = { warmupSessionId: id };
    const found = await app.post<{ planMatch: boolean; summaryMatch: boolean }>(
      '/api/admin/warmup/dry-run-replay',
      replay,
      { token: await superAdmin() },
    );
    assert.equal([found.body.planMatch, found.body.summaryMatch], [true, true]);
  }

  async function fluency(grade: number) {
    const person = await newChild(grade);
    const hands = teacher(app, people.ADMIN);
    for (let at = 0; at < 5; at += 1) {
      const { assessmentId } = done(await hands.start({ studentId: person.id }), 'reading');
      const stop = { reason: 'time_up', elapsedSeconds: 60, lastWordIndex: 9 + at };
      done(await hands.stop(assessmentId, stop), 'stop');
      done(await hands.probe({ studentId: person.id, orfAssessmentId: assessmentId }), 'probe');
      app.clock.advance(86_400_000);
    }
    const { points } = done(await hands.trend(person.id), 'trend');
    assert.is(
      points.reduce((sum, { probeIds }) => sum + probeIds.length, 0),
      5,
    );
    app.clock.advance(-5 * 86_400_000);
  }

  async function teaser(grade: number) {
    const visiting = visitor(app);
    const started = done<Teaser>(await visiting.start({ grade }), 'teaser');
    const { sessionId, token } = started;
    done(await visiting.finish(sessionId, { token, responses: answers(started, 6) }), 'teaser finish');
  }

  async function readStatus(person: Person): Promise<StatusBody> {
    const options = { token: await admin() };
    const base = `/api/sse/students/${person.id}`;
    done(await app.get(`${base}/domain-status`, options), 'domain status');
    const status = done(await app.get<StatusBody>(`${base}/skill-status`, options), 'skill status');
    assert.ok(status.runId !== null, 'the result has vanished');
    assert.ok(
      status.items.some(({ evidence }) => evidence.distinctItems > 0),
      'the evidence has vanished',
    );
    return status;
  }

  async function recompute(person: Person) {
    await recomputeStudents(app.services, organizationId, [person.id]);
    // No relay runs here, so the events behind this recompute would stay open.
    await owner('outbox').whereNull('relayedAt').update({ relayedAt: app.clock.now() });
    const { runId, pending, judgedUnder } = await readStatus(person);
    assert.is(pending, false);
    const active = await app.services.rules.at(app.database.app, app.clock.now());
    assert.is(judgedUnder?.bundleId, active.bundleId);
    const replayed = await inContext(owner, { organizationId }, (trx) =>
      replayRun(trx, app.services.rules, runId ?? ''),
    );
    assert.is(replayed.match, true);
  }

  return {
    diagnostic,
    practice,
    warmup,
    fluency,
    teaser,
    readStatus,
    recompute,
  };
}
