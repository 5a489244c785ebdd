// The clusters of a class of 60 over HTTP, from the request to the response, with all that is read and written for it.
import { recomputeStudents } from '../../src/assessment/skill-status/recompute/recompute.ts';
import { clientOf, signIn } from '../harness/client.ts';
import { assertEqual, percentile } from '../harness/measure.ts';
import { duration, type Section } from '../harness/report.ts';
import { buildSchool, type School } from '../harness/school.ts';
import { type Service, withService } from '../harness/service.ts';

const classSize = 60;
const warmUps = 5;
const calls = 40;

export const benchClusters = (): Promise<Section> => withService(measure);

async function measure(service: Service): Promise<Section> {
  const school = await buildSchool(service, classSize, true);
  await recomputeStudents(service.services, school.organizationId, school.studentIds);
  await service.owner.raw('analyze');
  const token = await signIn(service, school.teacher);
  const client = clientOf(service.url, 1);
  const path = `/api/cluster/recompute/${school.classRow.id}`;
  const again = async () => {
    const from = performance.now();
    await client.ask('POST', path, token, {});
    return performance.now() - from;
  };
  const anew = async (at: number) => {
    await changeMinimum(service, school, at);
    return again();
  };
  for (let at = 0; at < warmUps; at += 1) await anew(at);
  const [same, changed]: [number[], number[]] = [[], []];
  for (let at = 0; at < calls; at += 1) changed.push(await anew(at));
  for (let at = 0; at < calls; at += 1) same.push(await again());
  client.close();
  const stored = await service.owner('cluster_generation').count({ count: '*' }).first();
  assertEqual('generations', Number(stored?.count), warmUps + calls - 1);
  return report(changed, same);
}

/** Another minimum size creates another generation. */
const changeMinimum = ({ owner }: Service, { classRow }: School, at: number) =>
  owner('school')
    .where({ id: classRow.schoolId })
    .update({ minClusterSize: 2 + (at % 2) });

const report = (changed: readonly number[], same: readonly number[]): Section => ({
  title: 'The groups of a class, with storage',
  note: `A class of ${classSize}, 100 responses a student, over HTTP, one call after the other. Asserted: a generation is stored where something changed, and none where nothing did.`,
  rows: [
    { contender: 'found anew, a generation stored, median', result: millis(changed, 0.5), aim: '≤ 150 ms' },
    { contender: 'found anew, a generation stored, 95 %', result: millis(changed, 0.95), aim: '≤ 150 ms' },
    { contender: 'nothing changed, median', result: millis(same, 0.5), aim: '≤ 150 ms' },
  ],
});

const millis = (list: readonly number[], share: number): string => duration(percentile(list, share) * 1e6);
