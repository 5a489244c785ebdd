// Events about classes and enrollments.
import { IntegerId, object } from '#core/http/schemas.ts';
import { eventKind } from '#core/module/events.ts';

export const studentGradeChanged = eventKind({
  topic: 'student.grade_changed',
  summary:
    'The grade by which a student is evaluated has changed: through a new class, or because the class has a new grade.',
  payload: object({ studentId: IntegerId, classId: IntegerId }),
});

export const studentEnrollmentChanged = eventKind({
  topic: 'student.enrollment_changed',
  summary: 'A student has joined a class, moved to another one, or left; the enrollments contain the current class.',
  payload: object({ studentId: IntegerId }),
});
