// Which call a session accepts in which state (BSN-02 to BSN-08).
import { conflict } from '#core/platform/errors.ts';
import type { SessionState } from '../enums.ts';

const takenFrom = {
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
} as const satisfies Readonly<Record<string, readonly SessionState[]>>;

export type SessionCall = keyof typeof takenFrom;

export const takes = (call: SessionCall, { state }: { readonly state: SessionState }): boolean =>
  takenFrom[call].some((from) => from === state);

/** CONFLICT `invalid_transition` (BSN-08). */
export function requireCall(call: SessionCall, row: { readonly state: SessionState }): void {
  if (takes(call, row)) return;
  throw conflict('invalid_transition', `A session that is ${row.state} does not take this.`, 'state');
}
