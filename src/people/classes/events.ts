// What people tell others of classes.
import { IntegerId, object } from '../../http/schemas.ts';
import { eventKind } from '../../kernel/events.ts';

export const studentGradeChanged = eventKind({
  topic: 'student.grade_changed',
  summary:
    'The grade that a student is judged by is another one: by a new class, or because the class has a new grade.',
  payload: object({ studentId: IntegerId, classId: IntegerId }),
});
