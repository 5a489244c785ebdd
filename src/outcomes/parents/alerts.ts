// Alerts for operators when a response to a family is stopped; the family is not given a reason.
import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { checkJson } from '#core/http/checks/validation.ts';
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import { UnsafeSentence } from './render-for-family.ts';

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

/** Thrown for a response that its schema does not allow. */
export class OutsideSchema extends Error {
  override readonly name = 'OutsideSchema';
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super(`an answer for families is outside its schema: ${fields.join(', ')}`);
    this.fields = fields;
  }
}

/** The operation of a response, and the rule versions it was made with. */
export interface FamilyResponse {
  readonly operation: string;
  readonly versions: object;
}

/**
 * Renders a response and validates it against the schema. A refused response raises an alert, once an hour for each
 * text, and the error is rethrown. No transaction may be open.
 */
export async function renderGuarded<T>(
  services: Services,
  response: FamilyResponse,
  schema: TSchema,
  render: () => T,
): Promise<T> {
  try {
    const body = render();
    const wrong = checkJson(schema)(body);
    if (wrong.length > 0) throw new OutsideSchema(wrong.map(({ field }) => field));
    return body;
  } catch (error) {
    await reportStopped(services, response, error);
    throw error;
  }
}

const hashOf = (versions: object): string =>
  createHash('sha256').update(canonicalJson(versions)).digest('hex').slice(0, 16);

/** Opens the alert that belongs to the error, if any. */
export async function reportStopped(services: Services, response: FamilyResponse, error: unknown): Promise<void> {
  const stopped = stoppedBy(response, error);
  if (!stopped) return;
  const { kind, about, details } = stopped;
  const { db, clock } = services;
  await inContext(db, 'SUPER', (trx) =>
    openAlert(trx, kind, {
      organizationId: platformOrganizationId,
      subjectId: about,
      details: { ...details, operation: response.operation, rules: hashOf(response.versions) },
      at: clock.now(),
    }),
  );
}

function stoppedBy({ operation }: FamilyResponse, error: unknown) {
  if (error instanceof UnsafeSentence) {
    return { kind: parentStringUnsafe, about: error.textId, details: { textId: error.textId } };
  }
  if (error instanceof OutsideSchema) {
    return { kind: parentResponseOutsideSchema, about: operation, details: { fields: error.fields } };
  }
  return undefined;
}
