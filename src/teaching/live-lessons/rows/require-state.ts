// What a live session must be for a write to make sense.
import { conflict } from '#core/platform/errors.ts';
import type { LiveState } from '../enums.ts';
import type { LiveSessionRow } from './session.ts';

/** CONFLICT `invalid_transition`. */
export function requireState({ state }: Pick<LiveSessionRow, 'state'>, allowed: readonly LiveState[]): void {
  if (allowed.includes(state)) return;
  throw conflict('invalid_transition', `This cannot be done while the session is ${state}.`, 'state');
}
