// What is refused of previews: without a mapping, of courses that are not mapped, and while they are built.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newId } from '#core/platform/ids.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Roster } from '../sets.ts';

const school = useSchool(test);
const { admin } = school;

const roster: Roster = { classes, people: [{ id: 's1' }], enrolled: [{ course: 'A', person: 's1' }] };

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const refusalOf = ({ status, body }: Answer) => [status, (body as { details?: object[] }).details];

test('without a mapping there is none', async () => {
  const id = await school.connect(roster);
  await admin.map({ A: null, B: null });
  assert.equal(refusalOf(await admin.ask(id)), [409, [{ field: 'connectionId', issue: 'no_mappings' }]]);
});

test('a course that is not mapped is named', async () => {
  const id = await school.connect(roster);
  await admin.map({ B: null });
  const asked = await admin.ask(id, ['A', 'B']);
  assert.equal(refusalOf(asked), [422, [{ field: 'courseExternalIds.1', issue: 'not_mapped' }]]);
});

test('one that is being built is neither committed nor resolved', async () => {
  const { body } = await admin.ask(await school.connect(roster));
  assert.is(body.state, 'building');
  const notReady = [409, [{ field: '', issue: 'not_ready' }]];
  assert.equal(refusalOf(await admin.commit(body.previewId)), notReady);
  assert.equal(refusalOf(await admin.resolve(body.previewId, newId(), 'skip_row')), notReady);
  assert.equal(refusalOf(await admin.resolveAll(body.previewId, 'new_person', 'skip_row')), notReady);
  await admin.work();
  assert.is((await admin.read(body.previewId)).state, 'ready');
});

test('a course without any person is reported', async () => {
  const { warnings } = await admin.preview(await school.connect(roster));
  assert.equal(warnings, [{ code: 'empty_roster', courseExternalId: 'B' }]);
});

test.run();
