// Explanations of growth over HTTP, and what must hold of every mastery event that is rightly there.
import * as assert from 'uvu/assert';
import type { ExplainedBadge, ExplainedMastery } from '#outcomes/rewards/explain/schemas.ts';
import { buildSuperAdmin, signIn, type UserRow } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';

export const sound: ExplainedMastery['checks'] = [
  { check: 'halt', outcome: 'not_halted' },
  { check: 'growth', outcome: 'same' },
  { check: 'ground', outcome: 'new' },
  { check: 'award', outcome: 'same' },
];

export function explainsOf(app: TestApp) {
  const { owner } = app.database;
  const ask = async <Explained>(stampId: string) =>
    app.get<Explained>(`/api/admin/explain/${stampId}`, { token: await signIn(app, await buildSuperAdmin(owner)) });
  const explained = async <Explained>(stampId: string): Promise<Explained> => {
    const { status, body } = await ask<Explained>(stampId);
    assert.is(status, 200, `${stampId}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    ask,
    mastery: (id: unknown) => explained<ExplainedMastery>(`mastery:${id}`),
    badge: (id: unknown) => explained<ExplainedBadge>(`badge:${id}`),
    /** All mastery events of the student, in order; each holds. */
    async all({ id: studentId }: Pick<UserRow, 'id'>): Promise<ExplainedMastery[]> {
      const rows: { id: number }[] = await owner('mastery_event').where({ studentId }).orderBy('id').select('id');
      const found: ExplainedMastery[] = [];
      for (const { id } of rows) found.push(await explained(`mastery:${id}`));
      for (const one of found) assert.equal([one.stampId, one.checks, one.matchesStored], [one.stampId, sound, true]);
      return found;
    },
  };
}
