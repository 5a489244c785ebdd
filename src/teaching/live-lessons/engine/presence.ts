// Presence in a live lesson (contract 51 §5.1): a student is present who joined and answered, answered at the projector, or was
// observed. The observation `not_present` takes precedence.

export interface StudentActivity {
  readonly studentId: number;
  readonly joined: boolean;
  /** True when the student answered from a device. */
  readonly answered: boolean;
  /** True when committed marks of the projector are answers of the student, who need not have joined. */
  readonly projected: boolean;
  readonly observationCodes: readonly string[];
}

const notPresent = 'not_present';

export function isPresent({ joined, answered, projected, observationCodes }: StudentActivity): boolean {
  if (observationCodes.includes(notPresent)) return false;
  return (joined && answered) || projected || observationCodes.length > 0;
}
