// What an administrator is asked to agree to: to read courses, who is in them and their addresses, and nothing more.
import type { Config } from '#core/platform/config/config.ts';

const prefix = 'https://www.googleapis.com/auth/classroom.';
const always = ['courses.readonly', 'rosters.readonly', 'profile.emails'];

/** Guardians only where they are imported at all. */
export const classroomScopes = ({ lms }: Pick<Config, 'lms'>): readonly string[] =>
  [...always, ...(lms.guardianImport ? ['guardianlinks.students.readonly'] : [])].map((scope) => prefix + scope);
