// The dictionary of situations: whom a person would look at first, asked of both dictionaries, and what an activation does.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inContext } from '#core/platform/db.ts';
import { setFlag } from '#identity/context-flags/index.ts';
import type { RuleDocument } from '#rules/rulesets/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { type Student, useShell } from '../../../assessment/skill-status/shell.ts';
import { buildTeacher } from '../../../harness/factories.ts';
import { putInForce } from '../next-version.ts';
import { edited, impactOf, january, layerOf, type Report } from './world.ts';

const test = suite('the impact of a dictionary of situations');
const shell = useShell(test);
const { app } = shell;
const { owner } = app.database;
let absent: Student;
let helped: Student;
let plain: Student;

test.before(async () => {
  app.clock.set(january(10));
  absent = await shell.student();
  [helped, plain] = [await shell.classmate(absent), await shell.classmate(absent)];
  const teacher = await buildTeacher(owner, absent.classRow, 'SECONDARY');
  for (const student of [absent, helped, plain]) {
    await shell.diagnostic(student, answersOf({ LK_SHAPE: 'UUUU' }), { finishedAt: january(9), announced: false });
  }
  for (const [student, flagCode] of [
    [absent, 'long_absence'],
    [helped, 'speech_support'],
  ] as const) {
    await inContext(owner, student, (trx) => setFlag(shell.services, trx, student, { flagCode }, teacher.id));
  }
  await shell.recompute(absent, helped, plain);
});

const dictionaryWith = (effects: Readonly<Record<string, string>>): RuleDocument =>
  edited('language/context-flags', (document) => {
    for (const flag of document.flags) flag.effect = effects[flag.code] ?? flag.effect;
  });

const impact = async (document: RuleDocument): Promise<Report> =>
  (await impactOf(shell, document, { scope: { organizationId: absent.organizationId } })).report;

const statuses = async (student: Student) =>
  (await shell.rows<{ status: string }>('sse_skill_snapshot', student)).map(({ status }) => status);

const changesIn = (report: Report) =>
  layerOf(report, 'SSR').transitions.flatMap(({ from, to, count, exemplars }: Report) =>
    from === to ? [] : [[from, to, count, exemplars.map(({ studentId }: Report) => studentId)]],
  );

test('the same effects change nothing', async () => {
  const { students, announcements } = await impact(dictionaryWith({}));
  assert.equal([students.evaluated, students.changed, announcements.macroUpdates], [3, 0, 0]);
});

test('another effect changes the students who have such a flag, both ways, and the activation writes just that', async () => {
  const document = dictionaryWith({ long_absence: 'none', speech_support: 'review' });
  const report = await impact(document);
  const [label] = await statuses(plain);
  assert.equal(changesIn(report).sort(), [
    ['contextual_review', label, 1, [absent.id]],
    [label, 'contextual_review', 1, [helped.id]],
  ]);
  assert.is(report.students.changed, 2);
  const { exemplars } = layerOf(report, 'SSR').transitions.find(({ to }: Report) => to === 'contextual_review');
  const reported = exemplars.find(({ studentId }: Report) => studentId === helped.id);
  assert.is(reported.after.ruleId, 'SSR-02');
  assert.is.not(reported.before.ruleId, 'SSR-02');
  await putInForce(app, document);
  await shell.recompute(absent, helped, plain);
  assert.equal(
    [await statuses(absent), await statuses(helped), await statuses(plain)],
    [['contextual_review', label], [label, 'contextual_review'], [label]],
  );
  assert.equal([report.announcements.macroUpdates, report.announcements.skillSnapshots], [2, 2]);
});

test.run();
