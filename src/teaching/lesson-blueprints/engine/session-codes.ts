// The words of sessions: kinds of tasks and of events, which code knows one by one, and what a teacher may note of a child.
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

/** Live sessions raise and take exactly these. */
const events = {
  student: ['state_changed', 'item_changed', 'lock_changed', 'group_changed', 'ism_changed'],
  staff: [
    ...['participant_joined', 'participant_left', 'hand_raised', 'segment_started', 'segment_finished'],
    ...['response_recorded', 'observation_recorded', 'projector_committed'],
  ],
  sentByStudent: ['heartbeat', 'hand_raised', 'left'],
  sentByStaff: ['segment_started', 'segment_finished'],
} as const;

/** It alone says that a child was not there. */
const absence = 'not_present';

const name = 'bundle/session-codes';

/** Throws BundleError when the document is missing, RangeError when it says words that are not known. */
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

function requireSame(what: string, said: readonly string[], known: readonly string[]): void {
  const odd = said.find((word) => !known.includes(word)) ?? known.find((word) => !said.includes(word));
  if (odd !== undefined) throw new RangeError(`${name}: ${what} has ${odd} on one side only`);
}
