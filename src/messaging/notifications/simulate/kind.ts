// The kind that a draft is about, in force and as drafted.
import { type DocumentName, documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import { type KindDocument, notificationFamily } from '../engine/kinds.ts';

/** `family/key`. */
export const isKindDocument = (name: string): boolean => name.startsWith(`${notificationFamily}/`);

export interface SimulatedKind {
  readonly kind: string;
  /** Some requests are about no student. */
  readonly withoutStudent: boolean;
  /** Null for a kind that is not in force. */
  readonly daysBefore: number | null;
  readonly daysAfter: number;
}

export function simulatedKind(inForce: readonly RuleDocument[], draft: RuleDocument): SimulatedKind {
  const { kind, retentionDays, payloadSchema } = draft as unknown as KindDocument;
  const name: DocumentName = documentName(draft);
  const known = inForce.find((one) => documentName(one) === name) as unknown as KindDocument | undefined;
  const schemas = [payloadSchema, ...(known ? [known.payloadSchema] : [])];
  return {
    kind,
    withoutStudent: schemas.some(({ required }) => !required.includes('studentId')),
    ...{ daysBefore: known?.retentionDays ?? null, daysAfter: retentionDays },
  };
}
