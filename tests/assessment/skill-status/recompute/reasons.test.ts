// The reason of a run and its consumers when one request merges several triggers.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunProjection } from '#assessment/skill-status/index.ts';
import { recomputeStudent, recomputeStudents } from '#assessment/skill-status/recompute/recompute.ts';
import { requestRecomputes } from '#assessment/skill-status/recompute/requests.ts';
import type { TriggerKind } from '#assessment/skill-status/results/enums.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { answersOf } from '../evidence.ts';
import { type Student, useShell } from '../shell.ts';

const test = suite('reasons of recomputes');
const shell = useShell(test);
const { app, services } = shell;

test.before.each(() => app.clock.set('2026-01-15T07:00:00.000Z'));

const ask = ({ organizationId, id: studentId }: Student, ...triggers: readonly TriggerKind[]) =>
  inContext(app.database.owner, { organizationId }, (trx) => {
    const at = app.clock.now().toISOString();
    const one = { organizationId, studentId, at };
    return requestRecomputes(
      trx,
      triggers.map((trigger) => ({ ...one, trigger, triggerRef: `of ${trigger}` })),
    );
  });

const run = ({ organizationId, id }: Student, by: Services = services) => recomputeStudent(by, organizationId, id);

/** A student with evidence whose event was not relayed. */
async function finished(): Promise<Student> {
  const student = await shell.student();
  const finishedAt = '2026-01-15T06:59:00.000Z';
  await shell.diagnostic(student, answersOf({ LK_SOUND: 'UUUU' }), { finishedAt, announced: false });
  return student;
}

const reasons = async (student: Student) =>
  (await shell.rows<{ trigger: string; triggerRef: string | null }>('sse_run', student)).map(
    ({ trigger, triggerRef }) => `${trigger} ${triggerRef}`,
  );

test('a waiting finish is not replaced by a later activation as the reason', async () => {
  const student = await finished();
  await ask(student, 'diagnostic_finished');
  await recomputeStudents(services, student.organizationId, [student.id], 'rule_activation');
  assert.equal(await reasons(student), ['diagnostic_finished of diagnostic_finished']);
});

for (const [asked, reason] of [
  [['diagnostic_finished', 'grade_changed'], 'diagnostic_finished'],
  [['orf_scored', 'context_flag_changed'], 'orf_scored'],
  [['context_flag_changed', 'admin'], 'context_flag_changed'],
  [['diagnostic_finished', 'practice_completed'], 'practice_completed'],
  [['grade_changed', 'diagnostic_finished'], 'diagnostic_finished'],
  [['rule_activation', 'grade_changed'], 'grade_changed'],
] as const) {
  test(`${asked.join(' and then ')}: the reason is ${reason}, requested together or in sequence`, async () => {
    const [together, after] = [await finished(), await finished()];
    await ask(together, ...asked);
    for (const trigger of asked) await ask(after, trigger);
    for (const student of [together, after]) {
      await run(student);
      assert.equal(await reasons(student), [`${reason} of ${reason}`]);
    }
  });
}

test('a served request does not affect the next one', async () => {
  const student = await finished();
  await ask(student, 'diagnostic_finished');
  await run(student);
  await ask(student, 'admin');
  assert.is((await shell.request(student))?.trigger, 'admin');
});

/** Services with a projection of runs, which counts the runs that it received. */
function followed() {
  let received = 0;
  const projection: RunProjection = {
    documents: [],
    project: async (_trx, _services, { runs }) => {
      received += runs.length;
      return [];
    },
    replay: async () => new Map(),
  };
  const capabilities = [...services.capabilities, { name: 'projection', runProjections: [projection] }];
  return { by: { ...services, capabilities }, received: () => received };
}

test('projections receive new rules once, with any other triggers before and after, separately or together', async () => {
  const student = await finished();
  await ask(student, 'diagnostic_finished');
  await run(student);
  const { by, received } = followed();
  const asked: readonly (readonly TriggerKind[])[] = [
    ['rule_activation'],
    ['rule_activation', 'context_flag_changed'],
    ['grade_changed', 'rule_activation', 'admin'],
    ['admin', 'diagnostic_finished'],
  ];
  const heard: number[] = [];
  for (const triggers of asked) {
    for (const trigger of triggers) await ask(student, trigger);
    await run(student, by);
    heard.push(received());
    await ask(student, ...triggers);
    await run(student, by);
    heard.push(received());
  }
  assert.equal(heard, [1, 2, 3, 4, 5, 6, 6, 6]);
});

test('new rules that are requested during a run belong to the next run', async () => {
  const student = await finished();
  await ask(student, 'diagnostic_finished');
  await run(student);
  const { by, received } = followed();
  await ask(student, 'admin');
  const rules: Services['rules'] = {
    ...services.rules,
    at: async (trx, moment) => {
      if (received() === 0 && (await shell.request(student))?.requestedSeq === 2) await ask(student, 'rule_activation');
      return services.rules.at(trx, moment);
    },
  };
  await run(student, { ...by, rules });
  assert.is(received(), 1);
  const { requestedSeq, processedSeq } = (await shell.request(student)) ?? {};
  assert.equal([requestedSeq, processedSeq], [3, 3]);
});

test.run();
