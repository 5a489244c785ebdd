// The calls that a lesson accepts in each state (BSN-02 to BSN-08).
import { conflict } from '#core/platform/errors.ts';
import type { LessonState } from '../enums.ts';

const statesFor = {
  edit: ['draft'],
  reschedule: ['draft', 'accepted'],
  include: ['draft', 'accepted'],
  accept: ['draft'],
  distribute: ['accepted'],
  deliver: ['accepted', 'distributed'],
  cancel: ['draft', 'accepted', 'distributed'],
  answer: ['distributed'],
  offline: ['accepted', 'distributed'],
  print: ['accepted', 'distributed', 'delivered'],
} as const satisfies Readonly<Record<string, readonly LessonState[]>>;

export type LessonCall = keyof typeof statesFor;

export const accepts = (call: LessonCall, { state }: { readonly state: LessonState }): boolean =>
  statesFor[call].some((from) => from === state);

/** Throws CONFLICT `invalid_transition` when the state does not accept the call (BSN-08). */
export function requireAcceptedCall(call: LessonCall, row: { readonly state: LessonState }): void {
  if (accepts(call, row)) return;
  throw conflict('invalid_transition', `This cannot be done with a lesson that is ${row.state}.`, 'state');
}
