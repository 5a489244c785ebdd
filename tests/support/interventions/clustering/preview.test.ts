// The support that a student's answers indicate, beside the student's group.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPrincipal, signIn } from '../../../harness/factories.ts';
import { decodingNeed, type Room, useClassroom } from '../classroom.ts';
import { decodingKey } from '../cluster-keys.ts';
import { groupCalls } from './groups-over-http.ts';

const classroom = useClassroom(test);
const { app, http } = classroom;
const { owner } = app.database;
const { group, recompute, studentsOf } = groupCalls(classroom);

interface Preview {
  readonly currentCluster: { readonly clusterKey: string; readonly generationId: string } | null;
  readonly exclusion: string | null;
  readonly skills: readonly object[];
  readonly asOf: string;
  readonly ruleVersions: Record<string, number>;
}

const preview = async ({ token }: Pick<Room, 'token'>, id: number) =>
  http.get<Preview>(`/api/cluster/student/${id}/preview`, { token });

test('a student in a group: the group, and counts in the order of the catalogue', async () => {
  const one = await group(2);
  const [id = 0] = one.ids;
  const { body } = await preview(one, id);
  assert.equal([body.currentCluster?.clusterKey, body.exclusion], [decodingKey, null]);
  assert.is(body.currentCluster?.generationId, one.generationId);
  const counted = (subSkillCode: string, right: number, wrong: number) => ({
    subSkillCode,
    taskTypes: [{ taskType: 'mcq_text', Level_1: right, Level_2: 0, Level_3: wrong }],
  });
  assert.equal(body.skills, [
    counted('LK_SOUND', 4, 0),
    counted('DEC_SYLLABLE', 4, 0),
    counted('DEC_WORD', 0, 4),
    counted('LIS_LITERAL', 4, 0),
    counted('VOC_MEANING', 4, 0),
    counted('RC_LITERAL', 4, 0),
  ]);
  assert.is(body.asOf, app.clock.now().toISOString());
  assert.is(Object.keys(body.ruleVersions).length, 11);
});

test('a student who needs more data is marked; one in no list, and a class without groups, give null', async () => {
  const one = await group(2);
  const [unmeasured] = await studentsOf(one, 1);
  assert.ok(unmeasured);
  assert.equal(shown(await preview(one, unmeasured.id)), [null, null]);
  await recompute(one);
  assert.equal(shown(await preview(one, unmeasured.id)), [null, 'moreDataNeeded']);
  await owner('school').where({ id: one.classRow.schoolId }).update({ minClusterSize: 5 });
  await recompute(one);
  assert.equal(shown(await preview(one, one.ids[0] ?? 0)), [null, null]);
  const alone = await classroom.room();
  const [student] = await studentsOf(alone, 1);
  assert.ok(student);
  await classroom.measure([student], decodingNeed);
  assert.equal(shown(await preview(alone, student.id)), [null, null]);
});

const shown = ({ body }: { readonly body: Preview }) => [body.currentCluster, body.exclusion];

test('from the instant at which its generation expires no student is in a group, and 60 days later nothing is counted', async () => {
  const one = await group(2);
  const [id = 0] = one.ids;
  const measuredAt = app.clock.now().getTime();
  const at = async (afterMs: number) => {
    app.clock.set(new Date(measuredAt + afterMs));
    const { body } = await preview({ token: await signIn(app, one.teacher) }, id);
    return [body.currentCluster !== null, body.skills.length > 0];
  };
  const window = 60 * 86_400_000;
  assert.equal(await at(window - 1), [true, true]);
  assert.equal(await at(window), [false, false]);
});

test('groups are for teachers and administrators: a principal reads none of it', async () => {
  const one = await group(2);
  const school = { id: one.classRow.schoolId, organizationId: one.organizationId };
  const token = await signIn(app, await buildPrincipal(owner, school));
  const path = `/api/cluster/classes/${one.classRow.id}/current`;
  assert.equal(
    [(await preview({ token }, one.ids[0] ?? 0)).status, (await http.get(path, { token })).status],
    [403, 403],
  );
  assert.is((await recompute({ ...one, token })).status, 403);
});

test.run();
