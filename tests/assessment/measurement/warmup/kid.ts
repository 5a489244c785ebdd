// A child who warms up over HTTP, and what the service answers.
import { buildStudent, type ClassRow, signIn } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';
import type { Person } from '../../../harness/world.ts';
import type { ServedBody } from '../diagnostics/child.ts';

export interface WarmupBody {
  readonly warmupSessionId: string;
  readonly sessionType: string;
  readonly status: string;
  readonly durationSeconds: number;
  readonly remainingMs: number;
  readonly items: readonly ServedBody[];
}
export interface TakenBody {
  readonly accepted: number;
  readonly duplicates: number;
  readonly status: string;
  readonly remainingMs: number;
}

export type Kid = Awaited<ReturnType<typeof newKid>>;

/** A new student of the class, so that tests are independent. */
export async function newKid(app: TestApp, classRow: ClassRow) {
  const user = await buildStudent(app.database.owner, classRow);
  return kidOf(app, { ...user, token: await signIn(app, user) });
}

export function kidOf(app: TestApp, person: Person) {
  let token = person.token;
  let signedInAt = app.clock.now().getTime();
  const post = async <Body>(path: string, body: object) => {
    if (app.clock.now().getTime() - signedInAt > 800_000) {
      token = await signIn(app, person);
      signedInAt = app.clock.now().getTime();
    }
    return app.post<Body>(`/api/warmup/sessions${path}`, body, { token });
  };
  return {
    person,
    start: (body: object = { sessionType: 'TRAINING' }) => post<WarmupBody>('', body),
    events: (id: string, events: readonly object[]) => post<TakenBody>(`/${id}/events`, { events }),
    complete: (id: string) => post<{ status: string; answered: number }>(`/${id}/complete`, {}),
    resume: (id: string) => post<{ status: string; remainingMs: number }>(`/${id}/resume`, {}),
  };
}
