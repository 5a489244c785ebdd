// A class with its teachers and students, signed in, and their requests in a live lesson.
import { randomUUID } from 'node:crypto';
import { buildStudent, buildTeacher, type ClassRow, signIn, type UserRow } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import type { TestApp } from '../../harness/http.ts';
import { buildTenant, type Tenant } from '../../harness/world.ts';
import { type BuiltLive, buildLive } from './rows.ts';

export interface Pupil extends UserRow {
  readonly token: string;
}

export interface Classroom {
  readonly tenant: Tenant;
  readonly classRow: ClassRow;
  readonly teacher: string;
  /** Another teacher of the same class. */
  readonly coTeacher: string;
  readonly pupils: readonly Pupil[];
}

export async function buildClassroom(app: TestApp, size = 3): Promise<Classroom> {
  const { owner } = app.database;
  const tenant = await buildTenant(app);
  const { classRow, people } = tenant;
  const coTeacher = await signIn(app, await buildTeacher(owner, classRow, 'SECONDARY'));
  const pupils = await Promise.all(
    Array.from({ length: size }, async () => {
      const student = await buildStudent(owner, classRow);
      return { ...student, token: await signIn(app, student) };
    }),
  );
  return { tenant, classRow, teacher: people.TEACHER.token, coTeacher, pupils };
}

// biome-ignore lint/suspicious/noExplicitAny: what was answered is what is tested
export type Body = any;

/** Returns the requests of one live lesson. */
export function liveCalls(app: TestApp, { id }: Pick<BuiltLive, 'id'>) {
  const path = (rest: string) => `/api/sync/sessions/${id}${rest}`;
  return {
    get: (rest: string, token: string): Promise<Reply<Body>> => app.get(path(rest), { token }),
    post: (rest: string, body: unknown, token: string): Promise<Reply<Body>> => app.post(path(rest), body, { token }),
    put: (rest: string, body: unknown, token: string): Promise<Reply<Body>> => app.put(path(rest), body, { token }),
    patch: (rest: string, body: unknown, token: string): Promise<Reply<Body>> => app.patch(path(rest), body, { token }),
    control: (token: string, action: string, rest: object = {}): Promise<Reply<Body>> =>
      app.post(path('/control'), { action, ...rest }, { token }),
    poll: (token: string, cursor?: string): Promise<Reply<Body>> =>
      app.get(path(`/poll${cursor === undefined ? '' : `?cursor=${cursor}`}`), { token }),
    say: (token: string, ...types: string[]): Promise<Reply<Body>> =>
      app.post(path('/events'), { events: types.map((type) => ({ clientEventId: randomUUID(), type })) }, { token }),
  };
}

/** Creates a live lesson that is being taught and that these students have joined. */
export const taught = (app: TestApp, { classRow }: Classroom, joined: readonly UserRow[] = []): Promise<BuiltLive> =>
  buildLive(app.database.owner, classRow, { state: 'live', joined: joined.map(({ id }) => id) });

/** Returns the status and the issue of a refusal. */
export const refusal = ({ status, body }: Reply<Body>): string =>
  `${status} ${body?.details?.[0]?.issue ?? body?.code ?? ''}`;
