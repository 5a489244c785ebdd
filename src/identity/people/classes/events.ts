// What people tell others of classes.
import { IntegerId, object } from '#core/http/schemas.ts';
import { eventKind } from '#core/module/events.ts';

export const studentGradeChanged = eventKind({
  topic: 'student.grade_changed',
  summary:
    'The grade that a student is judged by is another one: by a new class, or because the class has a new grade.',
  payload: object({ studentId: IntegerId, classId: IntegerId }),
});

export const studentEnrollmentChanged = eventKind({
  topic: 'student.enrollment_changed',
  summary:
    'A student has come into a class, gone to another one, or left; which class it is now stands in the enrollments.',
  payload: object({ studentId: IntegerId }),
});
