// The check of the state before a write.
import { conflict } from '#core/platform/errors.ts';
import type { LiveState } from '../enums.ts';
import type { LiveLessonRow } from './live-lesson.ts';

/** Throws CONFLICT `invalid_transition` unless the lesson is in one of the allowed states. */
export function requireState({ state }: Pick<LiveLessonRow, 'state'>, allowed: readonly LiveState[]): void {
  if (allowed.includes(state)) return;
  throw conflict('invalid_transition', `This cannot be done while the lesson is ${state}.`, 'state');
}
