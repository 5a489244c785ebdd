// Determines which students wait for a recompute: from the commit of the trigger, even before events are relayed or
// requests served.

import type { EventKind } from '#core/module/events.ts';
import { contextFlagChanged } from '#identity/context-flags/index.ts';
import { studentGradeChanged } from '#identity/people/index.ts';
import { diagnosticFinished, evidenceCorrected, orfScored, practiceCompleted } from '../../measurement/index.ts';

/** Events of this area's own evidence that trigger a recompute of their student. */
export const recomputeEvents = [
  diagnosticFinished,
  practiceCompleted,
  orfScored,
  studentGradeChanged,
  contextFlagChanged,
  evidenceCorrected,
] as const;

const topics = new Set<string>(recomputeEvents.map(({ topic }) => topic));

/** Registers an event of another capability that triggers a recompute. Called when the application is composed. */
export const registerRecomputeEvent = ({ topic }: EventKind): void => void topics.add(topic);

/** Returns the bindings of `isPending`. */
export const pendingBindings = () => ({ askingTopics: [...topics] });

/**
 * Returns an SQL condition: the student waits, by request `q` or by an event that is not yet relayed. `organization`
 * and `student` are names or bindings of the statement, which also needs `pendingBindings`.
 */
export const isPending = (organization: string, student: string): string =>
  `(coalesce(q.requested_seq > q.processed_seq, false) or exists (select from outbox w
     where w.organization_id = ${organization} and w.payload ->> 'studentId' = ${student}::text
       and w.relayed_at is null and w.topic = any(:askingTopics::text[])))`;
