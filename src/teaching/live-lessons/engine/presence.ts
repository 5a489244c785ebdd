// Who was present in a live session (contract 51 §5.1): joined and answered, answered at the projector, or was observed. Being
// observed as not present makes absent, whatever else is known.

export interface Seen {
  readonly studentId: number;
  readonly joined: boolean;
  /** Answers from a device. */
  readonly answered: boolean;
  /** Committed marks that are answers; nobody joins for them. */
  readonly projected: boolean;
  readonly observationCodes: readonly string[];
}

const notPresent = 'not_present';

export function isPresent({ joined, answered, projected, observationCodes }: Seen): boolean {
  if (observationCodes.includes(notPresent)) return false;
  return (joined && answered) || projected || observationCodes.length > 0;
}
