// Lessons over HTTP: created from a blueprint for one pupil, accepted, and delivered.
import * as assert from 'uvu/assert';
import { signIn } from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Json, Pupil } from '../../support/interventions/workflow/draft-bodies.ts';

interface LessonOptions {
  readonly blueprintId: string;
  readonly deliveryMode?: string;
}

/** Returns the id of the lesson. */
export async function createAcceptedLesson(app: TestApp, pupil: Pupil, options: LessonOptions): Promise<string> {
  const as = { token: await signIn(app, pupil.teacher) };
  const asked = { classId: pupil.classRow.id, recipientStudentIds: [pupil.id], deliveryMode: 'blended', ...options };
  const made = await app.post<Json>('/api/sessions/from-blueprint', asked, as);
  assert.is(made.status, 201, JSON.stringify(made.body));
  const accepted = await app.post<Json>(`/api/sessions/${made.body.sessionId}/accept`, {}, as);
  assert.is(accepted.status, 200, JSON.stringify(accepted.body));
  return String(made.body.sessionId);
}

/** Delivers a lesson in which the pupil was present. */
export async function deliverLesson(
  app: TestApp,
  pupil: Pupil,
  options: LessonOptions,
  deliveredOn: string,
): Promise<void> {
  const id = await createAcceptedLesson(app, pupil, options);
  const delivery = { deliveredOn, presentStudentIds: [pupil.id] };
  const as = { token: await signIn(app, pupil.teacher) };
  const reply = await app.patch<Json>(`/api/sessions/${id}/edit`, { delivery }, as);
  assert.equal([reply.status, reply.body.state], [200, 'delivered'], JSON.stringify(reply.body));
}
