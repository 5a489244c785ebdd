// What the document of retention holds.
import { type DocumentSchemas, schemaBuilders } from '#rules/rulesets/index.ts';

const { strict, text } = schemaBuilders;

const kept = strict({ days: { type: 'integer', minimum: 1, maximum: 3650 }, rationale: text });

const retention = {
  periods: strict({
    teaserSessions: kept,
    teaserLeads: kept,
    endedSessions: kept,
    idempotencyAnswers: kept,
    clientLogs: kept,
    securityEvents: kept,
  }),
};

export const documentSchemas: DocumentSchemas = {
  sections: { 'operations/retention': retention },
};
