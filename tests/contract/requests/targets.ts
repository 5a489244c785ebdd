// Sources of ids: the caller's organization, another one, or none. All three have the same properties, so that one
// request can be made with each.

import { newId } from '#core/platform/ids.ts';
import type { Persona } from '#identity/people/records/permissions.ts';
import type { LessonState } from '#teaching/lessons/enums.ts';
import {
  buildClass,
  buildParent,
  buildSchool,
  buildStudent,
  buildTeacher,
  buildUser,
} from '../../harness/factories.ts';
import type { TestApp } from '../../harness/http.ts';
import type { Tenant } from '../../harness/world.ts';
import { buildCommit, buildConnection, buildPreview } from '../../integrations/lms/rows.ts';
import { buildGrowth } from '../../outcomes/rewards/rows.ts';
import { buildAlert } from '../../support/rti/alerts/rows.ts';
import { buildBlueprint } from '../../teaching/lesson-blueprints/rows.ts';
import { buildLesson } from '../../teaching/lessons/rows.ts';
import {
  buildLive,
  buildLiveGroup,
  buildProjectorRun,
  draftLive,
  unusedCode,
} from '../../teaching/live-lessons/rows.ts';
import { openAssignment, savedDraft } from '../rows/assignments.ts';
import { finishedSession, openSession, servedItem } from '../rows/diagnostics.ts';
import { endedQueue, paperProbe, scoredReading, standingVoid } from '../rows/evidence.ts';
import { mergedAccount } from '../rows/merges.ts';
import { closedPacket, draftPacket } from '../rows/packets.ts';
import { openReading } from '../rows/readings.ts';
import { finishedReport } from '../rows/reports.ts';
import { rollOver, schoolOfLastYear } from '../rows/roll-overs.ts';

export interface Target {
  readonly organizationId: string;
  readonly schoolId: string;
  readonly classId: number;
  readonly teacherId: number;
  readonly studentId: number;
  readonly parentId: number;
  readonly childId: string;
  /** Rows created for one request, because it changes or deletes them. */
  readonly fresh: FreshRows;
}

export interface FreshRows {
  school(): Promise<string>;
  class(): Promise<number>;
  /** A school with a class of the school year before the current one. */
  schoolOfLastYear(): Promise<string>;
  /** A roll-over of the target's school that can be undone. */
  rollOver(): Promise<number>;
  user(persona: Persona): Promise<number>;
  /** A student of the target's class. */
  student(): Promise<number>;
  /** The merge of an account into that of a student of the target's class. */
  merge(): Promise<number>;
  /** A second teacher of the target's class. */
  classTeacher(): Promise<number>;
  /** A parent linked to the target's student. */
  linkedParent(): Promise<number>;
  /** The open diagnostic of the target's student, with at least one answer. */
  openDiagnostic(): Promise<string>;
  /** The served item of that diagnostic. */
  servedItem(): Promise<string>;
  /** A finished diagnostic of a student of the target's class. */
  finishedDiagnostic(): Promise<string>;
  /** An open oral reading of a student of the target's class. */
  openReading(): Promise<string>;
  scoredReading(): Promise<string>;
  paperProbe(): Promise<number>;
  endedQueue(): Promise<string>;
  /** A void of the target's teacher. */
  standingVoid(): Promise<number>;
  /** The target's class with its groups. */
  groupedClass(): Promise<number>;
  /** An assignment of a student of the target's class. */
  assignment(): Promise<string>;
  /** An assignment with counted deliveries. */
  countedAssignment(): Promise<string>;
  /** An open alert of a student of the target's class that may be dismissed. */
  openAlert(): Promise<string>;
  /** A draft packet about a student of the target's class. */
  packet(): Promise<string>;
  /** A closed packet. */
  closedPacket(): Promise<string>;
  /** A badge of a student of the target's class. */
  badge(): Promise<number>;
  /** A celebration of the target's student. */
  celebration(): Promise<string>;
  /** A document that an administrator requested. */
  report(): Promise<string>;
  /** Finished letters to the families of the target's class. */
  letters(): Promise<string>;
  /** A published blueprint for the grade of the target's class. */
  blueprint(): Promise<string>;
  /** A lesson of the target's class for the target's student. */
  session(state: LessonState): Promise<string>;
  /** A live lesson of the target's class that has not begun and that no student has joined. */
  liveSession(): Promise<{ readonly id: string; readonly joinCode: string }>;
  /** A live lesson in progress that the target's student has joined. */
  taughtLiveSession(): Promise<{ readonly id: string }>;
  /** A live lesson with an open projector run in which that student takes part. */
  projectedLiveSession(): Promise<{ readonly id: string; readonly projectorRunId: string }>;
  /** A live lesson in which the target's student is a group. */
  groupedLiveSession(): Promise<{ readonly id: string; readonly groupId: string }>;
  /** A commit of a roster that created a student. */
  lmsRun(): Promise<string>;
  /** A preview of a roster that is ready to be committed. */
  lmsPreview(): Promise<{ readonly id: string; readonly rowId: string; readonly connectionId: string }>;
  /** The organization's active connection for uploaded files. */
  lmsConnection(): Promise<string>;
  /** The teacher of the target's class, with a draft for it. */
  draftingTeacher(): Promise<number>;
}

export function targetOf(app: TestApp, tenant: Tenant): Target {
  const { owner } = app.database;
  const { organizationId, school, classRow, people, childId } = tenant;
  return {
    organizationId,
    schoolId: school.id,
    classId: classRow.id,
    teacherId: people.TEACHER.id,
    studentId: people.STUDENT.id,
    parentId: people.PARENT.id,
    childId,
    fresh: {
      school: async () => (await buildSchool(owner, { organizationId })).id,
      class: async () => (await buildClass(owner, { organizationId, schoolId: school.id })).id,
      schoolOfLastYear: async () => (await schoolOfLastYear(owner, organizationId)).id,
      rollOver: async () => rollOver(owner, tenant),
      user: async (persona) => (await buildUser(owner, persona, { organizationId })).id,
      student: async () => (await buildStudent(owner, classRow)).id,
      merge: () => mergedAccount(app, classRow),
      classTeacher: async () => (await buildTeacher(owner, classRow, 'SECONDARY')).id,
      linkedParent: async () => (await buildParent(owner, people.STUDENT)).id,
      openDiagnostic: () => openSession(app, people.STUDENT.token),
      servedItem: () => servedItem(app, people.STUDENT.token),
      finishedDiagnostic: async () => finishedSession(app, await buildStudent(owner, classRow)),
      openReading: async () => openReading(app, await buildStudent(owner, classRow)),
      scoredReading: async () => scoredReading(app, await buildStudent(owner, classRow)),
      paperProbe: async () => paperProbe(app, await buildStudent(owner, classRow)),
      endedQueue: async () => endedQueue(app, await buildStudent(owner, classRow)),
      standingVoid: async () => standingVoid(app, await buildStudent(owner, classRow), people.TEACHER.id),
      groupedClass: async () => {
        await app.post(`/api/cluster/recompute/${classRow.id}`, {}, { token: people.ADMIN.token });
        return classRow.id;
      },
      assignment: async () => openAssignment(app, await buildStudent(owner, classRow), classRow.id),
      countedAssignment: async () => {
        const id = await openAssignment(app, await buildStudent(owner, classRow), classRow.id);
        await app.post(`/api/fidelity/${id}/recompute`, {}, { token: people.ADMIN.token });
        return id;
      },
      openAlert: async () => buildAlert(owner, await buildStudent(owner, classRow)),
      packet: async () => draftPacket(app, await buildStudent(owner, classRow)),
      closedPacket: async () => closedPacket(app, await buildStudent(owner, classRow)),
      badge: async () => {
        const grown = await buildGrowth(owner, await buildStudent(owner, classRow), { badge: 'first_step' });
        return grown.studentBadgeId ?? 0;
      },
      celebration: async () => {
        const celebrates = [{ kind: 'streak_milestone', value: 5 }];
        return (await buildGrowth(owner, people.STUDENT, { celebrates })).celebrationIds[0] ?? '';
      },
      report: () => finishedReport(app, people.ADMIN, { kind: 'class_report', subject: String(classRow.id) }),
      letters: () => finishedReport(app, people.ADMIN, { kind: 'parent_letters', subject: String(classRow.id) }),
      blueprint: () => buildBlueprint(owner, { grade: 1 }),
      session: (state) =>
        buildLesson(owner, {
          ...{ organizationId, classId: classRow.id, createdBy: people.TEACHER.id, state },
          studentIds: [people.STUDENT.id],
        }),
      liveSession: () => draftLive(owner, classRow),
      taughtLiveSession: () => buildLive(owner, classRow, { state: 'live', joined: [people.STUDENT.id] }),
      projectedLiveSession: async () => {
        const live = await buildLive(owner, classRow, { state: 'live', joined: [people.STUDENT.id] });
        return { id: live.id, projectorRunId: await buildProjectorRun(owner, live, people.STUDENT.id) };
      },
      groupedLiveSession: async () => {
        const live = await buildLive(owner, classRow);
        return { id: live.id, groupId: await buildLiveGroup(owner, live, people.STUDENT.id) };
      },
      lmsRun: async () => {
        const { id: userId } = await buildStudent(owner, classRow);
        return (await buildCommit(owner, { organizationId, userId })).id;
      },
      lmsPreview: () => buildPreview(owner, { organizationId, classId: classRow.id }),
      lmsConnection: async () => (await buildConnection(owner, { organizationId })).id,
      draftingTeacher: async () => {
        await savedDraft(app, organizationId, { teacherUserId: people.TEACHER.id, classId: classRow.id });
        return people.TEACHER.id;
      },
    },
  };
}

/** Ids of the right format that no row has. */
export function absentTarget(): Target {
  let last = Number.MAX_SAFE_INTEGER;
  const integer = () => last--;
  const cuid = () => newId();
  return {
    organizationId: cuid(),
    schoolId: cuid(),
    classId: integer(),
    teacherId: integer(),
    studentId: integer(),
    parentId: integer(),
    childId: cuid(),
    fresh: {
      school: async () => cuid(),
      class: async () => integer(),
      schoolOfLastYear: async () => cuid(),
      rollOver: async () => integer(),
      user: async () => integer(),
      student: async () => integer(),
      merge: async () => integer(),
      classTeacher: async () => integer(),
      linkedParent: async () => integer(),
      openDiagnostic: async () => cuid(),
      servedItem: async () => cuid(),
      finishedDiagnostic: async () => cuid(),
      openReading: async () => cuid(),
      scoredReading: async () => cuid(),
      paperProbe: async () => integer(),
      endedQueue: async () => cuid(),
      standingVoid: async () => integer(),
      groupedClass: async () => integer(),
      assignment: async () => cuid(),
      countedAssignment: async () => cuid(),
      openAlert: async () => cuid(),
      packet: async () => cuid(),
      closedPacket: async () => cuid(),
      badge: async () => integer(),
      celebration: async () => cuid(),
      report: async () => cuid(),
      letters: async () => cuid(),
      blueprint: async () => cuid(),
      session: async () => cuid(),
      liveSession: async () => ({ id: cuid(), joinCode: unusedCode }),
      taughtLiveSession: async () => ({ id: cuid() }),
      projectedLiveSession: async () => ({ id: cuid(), projectorRunId: cuid() }),
      groupedLiveSession: async () => ({ id: cuid(), groupId: cuid() }),
      lmsRun: async () => cuid(),
      lmsPreview: async () => ({ id: cuid(), rowId: cuid(), connectionId: cuid() }),
      lmsConnection: async () => cuid(),
      draftingTeacher: async () => integer(),
    },
  };
}
