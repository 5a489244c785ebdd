// Nothing is decided about a student who is in no class.
import { conflict } from '#core/platform/errors.ts';

export const notEnrolled = () => conflict('not_enrolled', 'The student is in no class.');
