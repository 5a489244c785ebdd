// What those who run the service are told where a family's answer was stopped: the family is told nothing.
import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { checkJson } from '#core/http/checks/validation.ts';
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { UnsafeSentence } from './voice.ts';

export const parentStringUnsafe = {
  kind: 'qa',
  code: 'PARENT_STRING_UNSAFE',
  severity: 'critical',
  subject: 'text',
  summary: 'A sentence for families does not pass the language rules in force; the answer was stopped.',
} as const satisfies AlertKind;

export const parentResponseOutsideSchema = {
  kind: 'qa',
  code: 'PARENT_RESPONSE_OUTSIDE_SCHEMA',
  severity: 'critical',
  subject: 'operation',
  summary: 'An answer for families held something that its list of fields does not allow; it was stopped.',
} as const satisfies AlertKind;

/** An answer that its schema does not allow. */
export class OutsideSchema extends Error {
  override readonly name = 'OutsideSchema';
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`an answer for families is outside its schema: ${fields.join(', ')}`);
    this.fields = fields;
  }
}

/** Which answer it is about, and under which rules. */
export interface Told {
  readonly operation: string;
  readonly versions: object;
}

/**
 * What is said, held against the schema. What may not leave is told to those who run the service, once an hour for
 * each text, and thrown. No transaction may be open.
 */
export async function guarded<T>(services: Services, told: Told, schema: TSchema, say: () => T): Promise<T> {
  try {
    const body = say();
    const wrong = checkJson(schema)(body);
    if (wrong.length > 0) throw new OutsideSchema(wrong.map(({ field }) => field));
    return body;
  } catch (error) {
    await reportStopped(services, told, error);
    throw error;
  }
}

const hashOf = (versions: object): string =>
  createHash('sha256').update(canonicalJson(versions)).digest('hex').slice(0, 16);

/** Opens the alert that the error asks for, if any. */
export async function reportStopped(services: Services, told: Told, error: unknown): Promise<void> {
  const stopped = stoppedBy(told, error);
  if (!stopped) return;
  const { kind, about, details } = stopped;
  const { db, clock } = services;
  await inContext(db, 'SUPER', (trx) =>
    openAlert(trx, kind, {
      organizationId: platformOrganizationId,
      subjectId: about,
      details: { ...details, operation: told.operation, rules: hashOf(told.versions) },
      at: clock.now(),
    }),
  );
}

function stoppedBy({ operation }: Told, error: unknown) {
  if (error instanceof UnsafeSentence) {
    return { kind: parentStringUnsafe, about: error.textId, details: { textId: error.textId } };
  }
  if (error instanceof OutsideSchema) {
    return { kind: parentResponseOutsideSchema, about: operation, details: { fields: error.fields } };
  }
  return undefined;
}
