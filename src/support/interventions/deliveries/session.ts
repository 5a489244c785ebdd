// A delivered session, as assignments use it.

import type { DeliverySource } from '../assignment-rows/enums.ts';
import type { SessionResponse } from '../engine/assignments/steps.ts';

export interface DeliveredSession {
  readonly organizationId: string;
  /** One row for each assignment and source, however often the delivery is recorded. */
  readonly source: { readonly type: DeliverySource; readonly id: string };
  readonly bundle_id: string;
  /** Local date, not after today. */
  readonly deliveredOn: string;
  readonly present: readonly PresentStudent[];
  /** Students of the session who were absent. */
  readonly absent?: readonly number[];
  readonly now: Date;
}

export interface PresentStudent {
  readonly studentId: number;
  /** Analysable and scored, on any sub-skill, in the order in which they were given. */
  readonly responses: readonly SessionResponse[];
}

/** All students whom the session was for. */
export const includedIn = ({ present, absent = [] }: Pick<DeliveredSession, 'present' | 'absent'>): number[] => [
  ...present.map(({ studentId }) => studentId),
  ...absent,
];

export const wasThere = ({ present }: Pick<DeliveredSession, 'present'>, studentId: number): boolean =>
  present.some((one) => one.studentId === studentId);

export const studentResponsesOf = ({ present }: DeliveredSession, studentId: number): readonly SessionResponse[] =>
  present.find((one) => one.studentId === studentId)?.responses ?? [];
