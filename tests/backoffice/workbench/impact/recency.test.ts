// timeout: 120s
// The report of a draft that brings the recency rule says how many statuses it changes, before anybody approves it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildClass, buildStudent } from '../../../harness/factories.ts';
import { deskOf } from '../../../messaging/notifications/desk.ts';
import { edited, impactOf, january, layerOf, type Report, setConstant } from './world.ts';

const test = suite('the impact of the recency rule');
const shell = useShell(test);

test.before.each(() => shell.app.clock.set(january(10)));

const october = '2025-10-05T07:00:00.000Z';

/** Letters of LK_SOUND in October and in January. */
const students = [
  ['UUUUUUUU', 'CCCC'],
  ['UUUUUUUU', 'CCCC'],
  ['UUUUUUUU', 'CCC'],
  ['CCCCCCC', 'UUUUU'],
  ['CCCC', 'CCCC'],
] as const;

const { owner } = shell.app.database;
const { pin } = deskOf(shell.app, () => {
  throw new Error('no request is inserted');
});

/** Each with an evidence of October and one of January; evaluated by the rules in force. */
async function measured(): Promise<string> {
  const classRow = await buildClass(owner, { grade: 2 });
  const { organizationId } = classRow;
  const ids: number[] = [];
  for (const [before, after] of students) {
    const student = { ...(await buildStudent(owner, classRow)), organizationId };
    ids.push(student.id);
    const sittings = [answersOf({ LK_SOUND: before }), answersOf({ LK_SOUND: after }, 1 + before.length)];
    for (const [at, answers] of sittings.entries()) {
      const finishedAt = [october, january(9)][at] ?? '';
      await shell.diagnostic({ ...student, classRow }, answers, { finishedAt, announced: false });
    }
  }
  await recomputeStudents(shell.services, organizationId, ids);
  return organizationId;
}

const changesOf = (report: Report) =>
  layerOf(report, 'SSR')
    .transitions.filter(({ direction }: Report) => direction !== 'same')
    .map(({ from, to, count, direction }: Report) => `${from} → ${to}: ${count} ${direction}`)
    .sort();

test('statuses on both sides, from worse to better and back', async () => {
  const organizationId = await measured();
  const never = edited('dth/dth', (draft) => setConstant(draft, 'DTH-CNF-05', 366));
  const { report } = await impactOf(shell, never, { scope: { organizationId } });
  assert.equal(changesOf(report), [
    'monitor_gateway → weak_gateway: 2 worse',
    'weak_gateway → monitor_gateway: 1 better',
  ]);
  assert.is(layerOf(report, 'SSR').changed, 3);
});

test('the version with the rule, where one without it is in force', async () => {
  await pin({ 'dth/dth': 1 });
  const organizationId = await measured();
  const { report } = await impactOf(
    shell,
    edited('dth/dth', () => {}),
    { scope: { organizationId } },
  );
  assert.equal(changesOf(report), [
    'monitor_gateway → weak_gateway: 1 worse',
    'weak_gateway → monitor_gateway: 2 better',
  ]);
  assert.is(layerOf(report, 'SSR').changed, 3);
});

test.run();
