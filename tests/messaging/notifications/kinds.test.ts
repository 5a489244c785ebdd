// Every kind of the catalogue is a document and a value in code with equal payload schemas.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { capabilities } from '#app/capabilities.ts';
import type { ValueDocument } from '#rules/rulesets/index.ts';
import { bundle } from '../../assessment/skill-status/evidence.ts';

interface KindDocument extends ValueDocument {
  readonly kind: string;
  readonly active: boolean;
  readonly defaultPersona: string;
  readonly defaultSeverity: string;
  readonly retentionDays: number;
  readonly payloadSchema: unknown;
}

/** Specification, "Notification kinds", and the days of the contract. */
const catalogue: Readonly<Record<string, readonly [persona: string, severity: string, days: number]>> = {
  q5_24h_ack: ['TEACHER', 'action_required', 90],
  skill_alert_assigned: ['TEACHER', 'action_required', 180],
  student_alert_assigned: ['TEACHER', 'urgent', 180],
  benchmark_profile_swap: ['ADMIN', 'info', 365],
  dismissal_expiry: ['TEACHER', 'action_required', 90],
  plan_modification_suggestion: ['TEACHER', 'action_required', 90],
  cbm_alert_lifecycle: ['TEACHER', 'action_required', 180],
  parent_tsp_activation: ['PARENT', 'info', 90],
  lms_connection_revoked: ['ADMIN', 'urgent', 180],
};

const documents = bundle.documents.filter(({ meta }) => meta.family === 'notification') as unknown as KindDocument[];
const kinds = capabilities.flatMap(({ notificationKinds = [] }) => notificationKinds);

test('the nine kinds, to whom, how urgent and for how long', () => {
  const shipped = documents.map(({ kind, active, defaultPersona, defaultSeverity, retentionDays }) => {
    assert.ok(active, kind);
    return [kind, [defaultPersona, defaultSeverity, retentionDays]] as const;
  });
  assert.equal(Object.fromEntries(shipped), catalogue);
  for (const { kind, meta } of documents) assert.is(meta.key, kind.replaceAll('_', '-'));
});

/** Names of fields and their values, without the titles of schemas. */
const plain = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      ['title', 'description', 'minLength', 'maxLength'].includes(key) ? undefined : value,
    ),
  );

const fieldsOf = (schema: unknown) => {
  const { properties, required, additionalProperties } = plain(schema) as {
    properties: Record<string, unknown>;
    required: string[];
    additionalProperties: boolean;
  };
  return { fields: Object.keys(properties).sort(), required: [...required].sort(), additionalProperties };
};

test('a producer and the document know the same fields', () => {
  assert.equal(kinds.map(({ kind }) => kind).sort(), Object.keys(catalogue).sort());
  for (const { kind, payload } of kinds) {
    const document = documents.find((one) => one.kind === kind);
    assert.equal(fieldsOf(document?.payloadSchema), fieldsOf(payload), kind);
    assert.is(fieldsOf(payload).additionalProperties, false, kind);
  }
});

test.run();
