// Families for tests: parents of measured children, and what they are answered.
import * as assert from 'uvu/assert';
import { buildParent, signIn, type UserRow } from '../../harness/factories.ts';
import type { Classroom, Room } from '../../support/interventions/classroom.ts';

export interface Family {
  readonly student: UserRow;
  /** The parent's own handle of the child. */
  readonly childId: string;
  readonly parent: UserRow;
  readonly token: string;
}

export async function familyOf({ app }: Classroom, student: UserRow): Promise<Family> {
  const parent = await buildParent(app.database.owner, student);
  return { student, childId: parent.childId, parent, token: await signIn(app, parent) };
}

export const newFamily = async (classroom: Classroom, room: Room): Promise<Family> =>
  familyOf(classroom, await classroom.student(room));

/** A read of the portal, which has to succeed. */
export async function read<T>({ app, http }: Classroom, { childId, parent }: Family, rest: string): Promise<T> {
  // The clock may have been moved since the family came to be.
  const token = await signIn(app, parent);
  const answer = await http.get<T>(`/api/parent/children/${childId}/${rest}`, { token });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
  assert.is(answer.headers.get('cache-control'), 'private, no-store');
  return answer.body;
}

/** The labels of the contract (70 §1), by what they stand for. */
export const labels = {
  meets: 'خطى ثابتة',
  approaching: 'في الطريق',
  support: 'دعم إضافي مفيد',
  more: 'نحتاج إلى مزيد من الأنشطة',
} as const;
export const halt = 'نحتاج إلى مزيد من الأنشطة مع طفلكم لنقترح ما يناسبه. شكرًا لمتابعتكم.';
