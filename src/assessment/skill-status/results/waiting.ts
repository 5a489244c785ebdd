// Who waits for a recompute: from the commit of what asks for it, also while nobody relays events or serves requests.

import type { EventKind } from '#core/module/events.ts';
import { contextFlagChanged } from '#identity/context-flags/index.ts';
import { studentGradeChanged } from '#identity/people/index.ts';
import { diagnosticFinished, orfScored, practiceCompleted } from '../../measurement/index.ts';

/** Events of the service's own evidence that ask for a recompute of their student. */
export const asking = [
  diagnosticFinished,
  practiceCompleted,
  orfScored,
  studentGradeChanged,
  contextFlagChanged,
] as const;

const topics = new Set<string>(asking.map(({ topic }) => topic));

/** For whoever brings evidence of its own: its event asks too. Called where capabilities are put together. */
export const joinAsking = ({ topic }: EventKind): void => void topics.add(topic);

/** Binding of `isPending`. */
export const pendingBindings = () => ({ askingTopics: [...topics] });

/**
 * Whether the student that `student` names waits, by its request `q` or by an event that no relay has turned into one. With
 * `pendingBindings`; both are names or bindings of the statement.
 */
export const isPending = (organization: string, student: string): string =>
  `(coalesce(q.requested_seq > q.processed_seq, false) or exists (select from outbox w
     where w.organization_id = ${organization} and w.payload ->> 'studentId' = ${student}::text
       and w.relayed_at is null and w.topic = any(:askingTopics::text[])))`;
