// The calls of ordinary people in a school day, one of which is due at a time. Weights are percentages.
import type { Answered, Ask, Asked } from './ask.ts';
import { diagnosticOf } from './diagnostics.ts';
import { type Person, type SoakSchool, soakPassword } from './school.ts';

export interface Call {
  readonly name: string;
  readonly send: () => Promise<Answered>;
}

interface Kind {
  readonly name: string;
  readonly weight: number;
  /** Makes its next call, rotating the people. */
  readonly next: () => Promise<Answered>;
}

/** Returns an address of the loopback network for each person, as their homes have them. */
const addressOf = ({ id }: Person): string => `127.1.${Math.floor(id / 250) % 250}.${1 + (id % 250)}`;

function turnOf<One>(all: readonly One[]): () => One {
  let at = 0;
  return () => {
    const one = all[at++ % all.length];
    if (one === undefined) throw new RangeError('there are no people');
    return one;
  };
}

/** The order is deterministic: each kind occurs as often as its weight states, spread evenly. */
export function ordinaryCalls(ask: Ask, schools: readonly SoakSchool[]): () => Call {
  const kinds = kindsOf(ask, schools);
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  const credit = kinds.map(() => 0);
  return () => {
    kinds.forEach(({ weight }, at) => {
      credit[at] = (credit[at] ?? 0) + weight;
    });
    const at = credit.indexOf(Math.max(...credit));
    credit[at] = (credit[at] ?? 0) - total;
    const { name = '', next } = kinds[at] ?? {};
    if (!next) throw new RangeError('no kind is due');
    return { name, send: next };
  };
}

function kindsOf(ask: Ask, schools: readonly SoakSchool[]): Kind[] {
  const everybody = schools.flatMap(({ teachers, principal, parents, students }) => [
    ...[...teachers, principal],
    ...[...parents, ...students],
  ]);
  const withPassword = turnOf(
    schools.flatMap(({ teachers, principal, parents }) => [...teachers, principal, ...parents]),
  );
  const testedStudents = schools.flatMap(({ tested }) => tested);
  const [anyone, refreshing] = [turnOf(everybody), turnOf([...everybody, ...testedStudents])];
  const tested = turnOf(testedStudents.map((person) => diagnosticOf(ask, person)));
  const login = () => {
    const person = withPassword();
    const body = { email: person.email, password: soakPassword };
    return ask({ path: '/api/auth/login', body, localAddress: addressOf(person) });
  };
  return [
    { name: 'sign in', weight: 3, next: login },
    { name: 'refresh', weight: 8, next: () => refresh(ask, refreshing()) },
    { name: 'me', weight: 10, next: () => ask({ path: '/api/auth/me', token: anyone().token }) },
    { name: 'diagnostic', weight: 20, next: () => tested()() },
    { name: 'live poll', weight: 12, next: livePolls(ask, schools) },
    { name: 'unread count', weight: 12, next: unreadCounts(ask, everybody) },
    ...readsOf(ask, schools),
  ];
}

/** The weight and the path of a read, rotating all schools and students. */
function readsOf(ask: Ask, schools: readonly SoakSchool[]): Kind[] {
  const kind = (name: string, weight: number, asked: (school: SoakSchool, studentId: number, at: number) => Asked) => {
    let at = 0;
    const next = () => {
      const school = schools[at % schools.length];
      if (!school) throw new RangeError('there is no school');
      const studentId = school.studentIds[Math.floor(at / schools.length) % school.studentIds.length] ?? 0;
      return ask(asked(school, studentId, at++));
    };
    return { name, weight, next };
  };
  const ofTeacher = (name: string, weight: number, path: (school: SoakSchool, studentId: number) => string) =>
    kind(name, weight, (school, studentId, at) => ({
      path: path(school, studentId),
      token: school.teachers[Math.floor(at / schools.length) % school.teachers.length]?.token ?? '',
    }));
  return [
    ofTeacher('class list', 6, ({ classId }) => `/api/classes/${classId}/students`),
    ofTeacher('board', 4, ({ classId }) => `/api/rti/classes/${classId}/board`),
    ofTeacher('skill status', 8, (_, id) => `/api/sse/students/${id}/skill-status`),
    ofTeacher('profile', 4, (_, id) => `/api/students/${id}/profile`),
    ofTeacher('recommendation', 4, (_, id) => `/api/students/${id}/bundle-recommendation`),
    kind('principal overview', 2, ({ schoolId, principal: { token } }) => ({
      path: `/api/principal/schools/${schoolId}/overview`,
      token,
    })),
    kind('children of a parent', 3, ({ parents }, _, at) => ({
      path: '/api/parent/children',
      token: parents[at % parents.length]?.token ?? '',
    })),
    kind('growth of a child', 4, ({ parents }, _, at) => {
      const { token, childId } = parents[at % parents.length] ?? { token: '', childId: '' };
      return { path: `/api/parent/children/${childId}/growth`, token };
    }),
  ];
}

/** Refreshes one session at a time for each person, since a token pair that is used twice ends its session. */
async function refresh(ask: Ask, person: Person): Promise<Answered> {
  if (person.isRefreshing) return ask({ path: '/api/auth/me', token: person.token });
  person.isRefreshing = true;
  const { refreshToken } = person;
  const answer = await ask({ path: '/api/auth/refresh', body: { refreshToken }, localAddress: addressOf(person) });
  if (answer.status === 200) {
    const pair = JSON.parse(answer.text) as { accessToken: string; refreshToken: string };
    person.token = pair.accessToken;
    person.refreshToken = pair.refreshToken;
  }
  person.isRefreshing = false;
  return answer;
}

function unreadCounts(ask: Ask, everybody: readonly Person[]): () => Promise<Answered> {
  const next = turnOf(everybody);
  const etags = new Map<number, string>();
  return async () => {
    const { id, token } = next();
    const etag = etags.get(id);
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    const answer = await ask({ path: '/api/notifications/unread-count', token, headers });
    if (answer.etag !== undefined) etags.set(id, answer.etag);
    return answer;
  };
}

function livePolls(ask: Ask, schools: readonly SoakSchool[]): () => Promise<Answered> {
  const next = turnOf(
    schools.flatMap(({ liveSessionId, students }) => students.map((person) => ({ liveSessionId, person }))),
  );
  const cursors = new Map<number, string>();
  return async () => {
    const { liveSessionId, person } = next();
    const cursor = cursors.get(person.id);
    const query = cursor === undefined ? '' : `?cursor=${cursor}`;
    const answer = await ask({ path: `/api/sync/sessions/${liveSessionId}/poll${query}`, token: person.token });
    if (answer.status === 200) cursors.set(person.id, (JSON.parse(answer.text) as { cursor: string }).cursor);
    return answer;
  };
}
