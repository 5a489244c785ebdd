// What administrators read of a preview: page by page, by one reason, and of their own organization alone.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { localDate } from '#core/platform/pure/dates/calendar.ts';
import { buildTenant } from '../../../harness/world.ts';
import { courses as classes, useSchool } from '../school.ts';
import type { Enrolled, Roster } from '../sets.ts';
import { type Preview, rowOf } from '../walk.ts';

const school = useSchool(test);
const { app, admin } = school;

const inA = (ids: readonly string[], enrolled: Partial<Enrolled> = {}): Roster => ({
  classes,
  people: ids.map((id) => ({ id })),
  enrolled: ids.map((person) => ({ course: 'A', person, ...enrolled })),
});

test('the rows of one reason, each once, on pages', async () => {
  const ids = ['s1', 's2', 's3', 's4', 's5'];
  const { previewId } = await admin.preview(await school.connect(inA(ids)));
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/api/lms/preview/${previewId}?reasonCode=new_person&limit=2${after}`;
    const { body } = await app.get<Preview>(path, admin.token);
    assert.ok(body.rows.length <= 2);
    assert.ok(body.rows.every(({ reasonCode }) => reasonCode === 'new_person'));
    for (const { external } of body.rows) if ('externalId' in external) seen.push(external.externalId);
    cursor = body.nextCursor;
  }
  assert.equal(seen, ids);
  for (const query of ['reasonCode=same_name', 'cursor=x', 'limit=0', 'limit=101']) {
    assert.is((await app.get(`/api/lms/preview/${previewId}?${query}`, admin.token)).status, 422, query);
  }
});

test('a preview, its rows, its commit and its run are absent for another organization', async () => {
  const id = await school.connect(inA(['s1']));
  const preview = await admin.preview(id);
  const { token } = (await buildTenant(app)).people.ADMIN;
  const { previewId } = preview;
  const row = `/api/lms/preview/${previewId}/rows`;
  const asked = [
    await app.get(`/api/lms/preview/${previewId}`, { token }),
    await app.post('/api/lms/preview', { connectionId: id }, { token }),
    await app.patch(`${row}/${rowOf(preview, 's1').rowId}`, { resolution: 'skip_row' }, { token }),
    await app.patch(row, { reasonCode: 'new_person', resolution: 'skip_row' }, { token }),
    await app.post(`/api/lms/commit/${previewId}`, {}, { token }),
    await app.post(`/api/lms/connections/${id}/sync-now`, {}, { token }),
    await app.delete(`/api/lms/connections/${id}`, { token }),
  ];
  assert.equal(
    asked.map(({ status }) => status),
    Array(asked.length).fill(404),
  );
  const run = await school.commitPreview(previewId);
  assert.is((await app.post(`/api/lms/sync-runs/${run}/revert`, {}, { token })).status, 404);
});

/** Of the day where the organization is. */
const dayFrom = (days: number) => localDate(new Date(app.clock.now().getTime() + days * 24 * 3_600_000), 'Asia/Riyadh');

for (const [what, dates, expected] of [
  ['begins today', () => ({ from: dayFrom(0) }), 'new_enrollment'],
  ['ends today', () => ({ to: dayFrom(0) }), 'new_enrollment'],
  ['begins later', () => ({ from: dayFrom(2) }), 'inactive_at_source'],
  ['has ended', () => ({ to: dayFrom(-2) }), 'inactive_at_source'],
  ['is to be deleted', () => ({ status: 'tobedeleted' }), 'inactive_at_source'],
] as const) {
  test(`an enrollment that ${what}: ${expected}`, async () => {
    const preview = await admin.preview(await school.connect(inA(['s1'], dates())));
    assert.is(rowOf(preview, 's1@A').reasonCode, expected);
  });
}

test('rows of one person, course and role are one, which is open where any of them is', async () => {
  const one = { course: 'A', person: 's1' };
  const roster = {
    ...inA(['s1']),
    enrolled: [{ ...one, id: 'e1', to: dayFrom(-2) }, one, { ...one, id: 'e3', status: 'tobedeleted' }],
  };
  const preview = await admin.preview(await school.connect(roster));
  assert.equal(preview.summary, { create: 2, update: 0, conflict: 0, skip: 0 });
});

test.run();
