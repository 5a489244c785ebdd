// A class with a group that can be activated, its calls over HTTP, and the tables that a refused call must not change.
import type { UserRow } from '../../../harness/factories.ts';
import { type Classroom, decodingNeed, type Room } from '../classroom.ts';
import { decodingKey } from '../cluster-keys.ts';

export interface GenerationBody {
  readonly generationId: string;
  readonly created: boolean;
  readonly clusters: readonly {
    readonly clusterKey: string;
    readonly bundle_id: string;
    readonly memberStudentIds: readonly number[];
    readonly activatable: boolean;
    readonly notActivatableReason: string | null;
  }[];
  readonly individualReview: readonly { readonly studentId: number }[];
  readonly moreDataNeeded: readonly { readonly studentId: number; readonly reasonCode: string }[];
}

export interface BulkReply {
  readonly code?: string;
  readonly details?: readonly { readonly field: string; readonly issue: string }[];
  readonly classId: number;
  readonly generationId: string;
  readonly assignments: readonly {
    readonly studentId: number;
    readonly assignmentId: string;
    readonly created: boolean;
  }[];
}

export interface Group extends Room {
  readonly students: readonly UserRow[];
  readonly ids: readonly number[];
  readonly generationId: string;
}

export function groupCalls({ app, http, ...classroom }: Classroom) {
  const { owner } = app.database;
  const recompute = ({ classRow, token }: Room) =>
    http.post<GenerationBody>(`/api/cluster/recompute/${classRow.id}`, {}, { token });

  async function studentsOf(room: Room, count: number): Promise<UserRow[]> {
    const made: UserRow[] = [];
    for (let at = 0; at < count; at += 1) made.push(await classroom.student(room));
    return made;
  }

  return {
    recompute,
    studentsOf,
    /** This number of students with one need, and the generation with their group. */
    async group(size: number): Promise<Group> {
      const room = await classroom.room();
      const students = await studentsOf(room, size);
      await classroom.measure(students, decodingNeed);
      const { body } = await recompute(room);
      return { ...room, students, ids: students.map(({ id }) => id), generationId: body.generationId };
    },
    bulk: ({ token }: Pick<Room, 'token'>, ids: readonly number[], more: object = {}, headers = {}) =>
      http.post<BulkReply>(
        '/api/cluster/bulk-activate',
        { clusterKey: decodingKey, confirmedMemberStudentIds: ids, ...more },
        { token, headers },
      ),
    activate: ({ token }: Pick<Room, 'token'>, studentId: number, body: object) =>
      http.post<Pick<BulkReply, 'code' | 'details'>>('/api/workflow/activate', { studentId, ...body }, { token }),
    assignmentsOf: (ids: readonly number[]) =>
      owner('bundle_assignment')
        .whereIn('studentId', [...ids])
        .orderBy('studentId'),
    /** The number of rows in each table that a refused call must not change. */
    async written(): Promise<Record<string, number>> {
      const { rows } = await owner.raw(`select
        (select count(*) from bundle_assignment) as assignments, (select count(*) from outbox) as events,
        (select count(*) from cluster_generation) as generations`);
      return rows[0];
    },
  };
}
