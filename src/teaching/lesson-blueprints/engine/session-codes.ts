// The codes of lessons: task types and event types, which the code implements one by one, and observation codes.
import { itemTypes } from '#assessment/content/engine/index.ts';
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';

interface Code {
  readonly code: string;
}
interface SessionCodesDocument {
  readonly taskTypes: readonly Code[];
  readonly events: Readonly<Record<keyof typeof events, readonly string[]>>;
  readonly observations: readonly Code[];
}

/** The events that live lessons raise and accept. */
const events = {
  student: ['state_changed', 'item_changed', 'lock_changed', 'group_changed', 'ism_changed'],
  staff: [
    'participant_joined',
    'participant_left',
    'hand_raised',
    'segment_started',
    'segment_finished',
    'response_recorded',
    'observation_recorded',
    'projector_committed',
  ],
  sentByStudent: ['heartbeat', 'hand_raised', 'left'],
  sentByStaff: ['segment_started', 'segment_finished'],
} as const;

/** The observation code for a student who was not present. */
const absence = 'not_present';

const name = 'bundle/session-codes';

/** Throws BundleError when the document is missing, RangeError when its codes differ from those of the code. */
export function readSessionCodes(bundle: RuleBundle): void {
  const document = bundle.values<SessionCodesDocument>(name);
  requireSame('taskTypes', codesOf(document.taskTypes), itemTypes);
  for (const [kind, known] of Object.entries(events)) {
    requireSame(`events.${kind}`, document.events?.[kind as keyof typeof events] ?? [], known);
  }
  const observations = codesOf(document.observations);
  const twice = observations.find((code, at) => observations.indexOf(code) < at);
  if (twice !== undefined) throw new RangeError(`${name}: ${twice} is an observation twice`);
  if (!observations.includes(absence)) throw new RangeError(`${name}: no observation is ${absence}`);
}

const codesOf = (codes: readonly Code[] | undefined): string[] => (codes ?? []).map(({ code }) => code);

function requireSame(what: string, listed: readonly string[], known: readonly string[]): void {
  const different = listed.find((code) => !known.includes(code)) ?? known.find((code) => !listed.includes(code));
  if (different !== undefined) throw new RangeError(`${name}: ${what} has ${different} on one side only`);
}
