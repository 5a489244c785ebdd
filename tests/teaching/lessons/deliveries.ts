// Sessions as a teacher gives them, over HTTP: made from a blueprint for one pupil, accepted, and told as delivered.
import * as assert from 'uvu/assert';
import { signIn } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Json, Pupil } from '../../support/interventions/workflow/plans.ts';

interface Wish {
  readonly blueprintId: string;
  readonly deliveryMode?: string;
}

/** Answers its id. */
export async function acceptedSession(app: TestApp, pupil: Pupil, wish: Wish): Promise<string> {
  const as = { token: await signIn(app, pupil.teacher) };
  const asked = { classId: pupil.classRow.id, recipientStudentIds: [pupil.id], deliveryMode: 'blended', ...wish };
  const made = await app.post<Json>('/api/sessions/from-blueprint', asked, as);
  assert.is(made.status, 201, JSON.stringify(made.body));
  const accepted = await app.post<Json>(`/api/sessions/${made.body.sessionId}/accept`, {}, as);
  assert.is(accepted.status, 200, JSON.stringify(accepted.body));
  return String(made.body.sessionId);
}

/** The pupil was there. */
export async function giveSession(app: TestApp, pupil: Pupil, wish: Wish, deliveredOn: string): Promise<void> {
  const id = await acceptedSession(app, pupil, wish);
  const delivery = { deliveredOn, presentStudentIds: [pupil.id] };
  const as = { token: await signIn(app, pupil.teacher) };
  const reply = await app.patch<Json>(`/api/sessions/${id}/edit`, { delivery }, as);
  assert.equal([reply.status, reply.body.state], [200, 'delivered'], JSON.stringify(reply.body));
}
