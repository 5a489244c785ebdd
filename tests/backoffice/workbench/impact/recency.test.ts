// timeout: 120s
// The report of a draft that brings the recency rule says how many statuses it changes, before anybody approves it.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { answersOf } from '../../../assessment/skill-status/evidence.ts';
import { useShell } from '../../../assessment/skill-status/shell.ts';
import { buildClass, buildStudent } from '../../../harness/factories.ts';
import { edited, impactOf, january, layerOf, type Report, setConstant } from './world.ts';

const test = suite('the impact of the recency rule');
const shell = useShell(test);

const october = '2025-10-05T07:00:00.000Z';

/** Letters of LK_SOUND in October and in January. */
const students = [
  ['UUUUUUUU', 'CCCC'],
  ['UUUUUUUU', 'CCCC'],
  ['UUUUUUUU', 'CCC'],
  ['CCCCCCC', 'UUUUU'],
  ['CCCC', 'CCCC'],
] as const;

test('statuses on both sides, from worse to better and back', async () => {
  const { owner } = shell.app.database;
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
  shell.app.clock.set(january(10));
  await recomputeStudents(shell.services, organizationId, ids);
  const never = edited('dth/dth', (draft) => setConstant(draft, 'DTH-CNF-05', 366));
  const { report } = await impactOf(shell, never, { scope: { organizationId } });
  const ssr = layerOf(report, 'SSR');
  const steps = ssr.transitions
    .filter(({ direction }: Report) => direction !== 'same')
    .map(({ from, to, count, direction }: Report) => `${from} → ${to}: ${count} ${direction}`);
  assert.equal(steps.sort(), ['monitor_gateway → weak_gateway: 2 worse', 'weak_gateway → monitor_gateway: 1 better']);
  assert.is(ssr.changed, 3);
});

test.run();
