// timeout: 180s
// Audited writes of several people while the clock jumps and connections to PostgreSQL end: every answer is one that the API
// description names, 503 is the only failure, no change is without its audit entry (which the harness compares), and a failure
// that nobody expects leaves its cause in the log.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomStream } from '#app/demo/engine/random.ts';
import { describedStatuses } from '#core/http/description/openapi.ts';
import { routesOf } from '#core/module/capability.ts';
import { type ErrorCode, errorStatus } from '#core/platform/errors.ts';
import { schoolYearOfToday } from '../harness/clock.ts';
import { buildUser, type UserRow } from '../harness/factories.ts';
import { usePrograms, within } from '../start/program.ts';
import { useClassroom } from '../support/interventions/classroom.ts';
import { twoNeeds } from '../support/rti/rti-world.ts';
import { type DisturbedService, startDisturbed } from './audited-writes/service.ts';
import { type Answered, type Writers, writeWithoutPause } from './audited-writes/writers.ts';

const loadMs = 8_000;
/** On a busy machine the load lasts until so many writes were acknowledged. */
const leastWrites = 20;
const students = 6;
const calmMs = { least: 100, most: 500 };
const hourMs = 60 * 60 * 1000;
/** Forward by months, as the clock of a trial is moved, and back. */
const offsetsMs = [0, 72 * 24 * hourMs, 30 * 24 * hourMs, -3 * hourMs, 90 * 24 * hourMs];

const test = suite('audited writes');
const classroom = useClassroom(test);
const { app } = classroom;
const { owner } = app.database;
const run = usePrograms(test);
let service: DisturbedService;
let writers: Omit<Writers, 'over'>;
let children: readonly UserRow[];

test.before(async () => {
  app.clock.set(new Date());
  const room = await classroom.room({ academicYear: schoolYearOfToday() });
  const admin = await buildUser(owner, 'ADMIN', { organizationId: room.organizationId });
  children = await Promise.all(Array.from({ length: students }, () => classroom.student(room)));
  await classroom.measure(children, twoNeeds);
  service = await startDisturbed(app, run);
  writers = { service, room, admin, answers: [] };
});
test.after(() => service.stop());

/** Returns what was done. */
async function disturb(seed: string): Promise<string[]> {
  const random = randomStream(`audited writes/${seed}`);
  const one = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  const done: string[] = [];
  const kinds = {
    jump: async () => service.jump(one(offsetsMs)),
    terminate: () => service.terminate(),
    cut: () => service.cut(),
  };
  for (const until = Date.now() + loadMs; Date.now() < until || written().length < leastWrites; ) {
    await new Promise((resolve) => setTimeout(resolve, calmMs.least + random.next() * (calmMs.most - calmMs.least)));
    // Each kind comes early, whatever the seed.
    const kind = Object.keys(kinds)[done.length] ?? one(['jump', 'jump', 'terminate', 'cut']);
    await kinds[kind as keyof typeof kinds]();
    done.push(kind);
  }
  return done;
}

test('503 is the only failure, and every answer is a described one with the envelope of its code', async () => {
  const seed = process.env.CHAOS_SEED ?? String(Date.now());
  process.stdout.write(`CHAOS_SEED=${seed}\n`);
  let isOver = false;
  const load = children.map((child) => writeWithoutPause({ ...writers, over: () => isOver }, child, seed));
  const done = await disturb(seed).finally(() => {
    isOver = true;
  });
  await Promise.all(load);
  assert.ok(['jump', 'terminate', 'cut'].every((kind) => done.includes(kind)));
  const { answers } = writers;
  assert.equal(answers.filter(isUndescribed), []);
  assert.equal(
    service.log().filter(({ msg }) => msg === 'unexpected error'),
    [],
  );
  const entries: { requestId: string }[] = await owner('audit_entry').distinct('requestId');
  const recorded = new Set(entries.map(({ requestId }) => requestId));
  assert.equal(
    written().filter(({ requestId }) => !recorded.has(requestId)),
    [],
    'acknowledged writes have their entry',
  );
});

/** Writes that always change something, with the status of their success. */
const changing: Readonly<Record<string, number>> = {
  ...{ updateClass: 200, createClass: 201, commitRtiDecision: 201, openDecisionPacket: 201 },
  ...{ assembleDecisionPacket: 200, rejectDecisionPacket: 200, activateBundle: 201, reviewAssignment: 200 },
};

/** Those that were acknowledged. */
const written = (): Answered[] =>
  writers.answers.filter(({ operation, status }) => operation in changing && status === changing[operation]);

const described = new Map(
  routesOf(app.services.capabilities).map((route) => [route.operation, describedStatuses(route)]),
);

function isUndescribed({ operation, status, body }: Answered): boolean {
  if (described.get(operation)?.has(status) !== true) return true;
  if (status < 400) return false;
  const { code, message, retryAfter } = body;
  if (status >= 500 && (status !== 503 || typeof retryAfter !== 'number')) return true;
  return errorStatus[code as ErrorCode] !== status || typeof message !== 'string';
}

test('a failure that nobody expects says in the log what has failed, where, and for which request', async () => {
  service.jump(0);
  // As a session in which nothing but audit entries fails.
  await owner.raw(`
    create function refuse_entry() returns trigger language plpgsql as
      $$ begin raise exception 'a secret of %', new.actor_user_id using errcode = 'XX000'; end $$;
    create trigger refuse_entry before insert on audit_entry for each row execute function refuse_entry()`);
  const call = { method: 'PATCH', path: `/api/classes/${writers.room.classRow.id}`, body: { name: 'بعد' } } as const;
  try {
    await settled();
    const requestId = 'what-failed-here';
    const { status, body } = await service.ask(writers.admin, { ...call, requestId });
    assert.equal([status, body.code, Object.keys(body)], [500, 'INTERNAL', ['code', 'message']]);
    const lineOf = () => service.log().find((one) => one.requestId === requestId && one.msg === 'unexpected error');
    await within(5_000, 'the line in the log', () => lineOf() !== undefined);
    const {
      statement = '',
      connection = '',
      stack: _stack,
      ...fault
    } = (lineOf()?.err ?? {}) as Readonly<Record<string, string>>;
    // There is no message, which has values in it.
    const raised = { routine: 'exec_stmt_raise', functions: 'refuse_entry() line 1' };
    assert.equal(fault, { type: 'error', code: 'XX000', ...raised });
    assert.match(statement, /^insert audit_entry [0-9a-f]{8}$/);
    assert.match(connection, /^__knexUid\d+$/);
  } finally {
    await owner.raw('drop trigger refuse_entry on audit_entry; drop function refuse_entry()');
  }
  const { status } = await service.ask(writers.admin, { ...call, requestId: 'afterwards' });
  assert.is(status, 200);
});

/** Waits until connections that ended have been replaced. */
async function settled(): Promise<void> {
  const read = { method: 'GET', path: `/api/classes/${writers.room.classRow.id}`, requestId: 'settling' } as const;
  for (let good = 0; good < 10; ) good = (await service.ask(writers.admin, read)).status === 200 ? good + 1 : 0;
}

test.run();
