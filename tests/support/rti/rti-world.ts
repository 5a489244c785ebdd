// A class with evaluated students on a test file's own database.
import type { Test } from 'uvu';
import { evaluateAll, serveRequests } from '#support/rti/evaluation/serve.ts';
import { signIn, type UserRow } from '../../harness/factories.ts';
import type { Reply } from '../../harness/fetch.ts';
import { type Classroom, firstPart, type Room, useClassroom } from '../interventions/classroom.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Two roles are weak: a Student_Alert in the first tier. */
export const twoNeeds = firstPart({ DEC_WORD: 'UUUU', LIS_LITERAL: 'UUUU' });
/** One sub-skill that others are built on is weak: a Skill_Alert. */
export const oneNeed = firstPart({ DEC_WORD: 'UUUCCC' });
export const allRight = firstPart();

export interface AlertBody {
  readonly alertId: string;
  readonly studentId: number;
  readonly classId: number | null;
  readonly kind: string;
  readonly severity: number;
  readonly state: string;
  readonly ruleId: string;
  readonly subSkillCode: string | null;
  readonly openedAt: string;
  readonly dueAt: string | null;
  readonly dueOn: string | null;
  readonly stage: string;
  readonly acknowledgedAt: string | null;
  readonly ackOverdue: boolean;
  readonly dismissalCode: string | null;
  readonly expiresOn: string | null;
  readonly closeReason: string | null;
}

/** Response bodies of the calls, refusals included. */
export interface AnswerBody extends AlertBody {
  readonly outcome: string;
  readonly opened: AlertBody | null;
  readonly closed: readonly AlertBody[];
  readonly skillStateChanges: readonly {
    readonly subSkillCode: string;
    readonly from: string | null;
    readonly to: string;
  }[];
  readonly nextRecommendedDataAction: string | null;
  readonly details: readonly { readonly field: string; readonly issue: string }[];
}

export interface StatusBody {
  readonly tier: number;
  readonly tierSince: string | null;
  readonly weeksInTier: number;
  readonly openAlert: AlertBody | null;
  readonly dismissedAlerts: readonly AlertBody[];
  readonly skillStates: readonly {
    readonly subSkillCode: string;
    readonly state: string;
    readonly since: string;
    readonly lastStatus: string | null;
  }[];
  readonly outcome: string;
  readonly nextRecommendedDataAction: string | null;
}

export interface RtiRoom extends Classroom {
  /** Runs the job that a run requests. */
  evaluate(...students: readonly UserRow[]): Promise<void>;
  /** Evaluates like the daily job, without a request. */
  look(...students: readonly UserRow[]): Promise<void>;
  alerts(room: Room, student: UserRow): Promise<AlertBody[]>;
  open(room: Room, student: UserRow): Promise<AlertBody | undefined>;
  call(room: Room, path: string, body?: object): Promise<Reply<AnswerBody>>;
  statusOf(room: Room, student: UserRow): Promise<StatusBody>;
  days(count: number): void;
  /** Payloads of the topic that name the student, in order. */
  told(student: UserRow, topic: string): Promise<Record<string, unknown>[]>;
}

export function useRtiRoom<Context>(test: Test<Context>): RtiRoom {
  const classroom = useClassroom(test);
  const { services, http, app } = classroom;
  const ids = (students: readonly UserRow[]) => students.map(({ id }) => id);
  /** Signed in at the clock's time, because tokens expire while days pass. */
  const tokenOf = ({ teacher }: Room) => signIn(app, teacher);
  const alerts = async (room: Room, { id }: UserRow): Promise<AlertBody[]> =>
    (await http.get<{ items: AlertBody[] }>(`/api/rti/students/${id}/alerts?limit=100`, { token: await tokenOf(room) }))
      .body.items;
  return {
    ...classroom,
    alerts,
    evaluate: (...students) => serveRequests(services, students[0]?.organizationId ?? '', ids(students)),
    look: (...students) => evaluateAll(services, students[0]?.organizationId ?? '', ids(students)),
    statusOf: async (room, { id }) =>
      (await http.get<StatusBody>(`/api/rti/students/${id}/status`, { token: await tokenOf(room) })).body,
    open: async (room, student) => (await alerts(room, student)).find(({ state }) => state === 'open'),
    call: async (room, path, body = {}) => http.post<AnswerBody>(path, body, { token: await tokenOf(room) }),
    days: (count) => app.clock.advance(count * dayMs),
    async told({ id }, topic) {
      const rows = await app.database.owner('outbox').where({ topic }).orderBy('id').select('payload');
      return rows.map(({ payload }) => payload).filter(({ studentId }) => studentId === id);
    },
  };
}
