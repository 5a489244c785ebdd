// Schemas of the documents of the five layers: sections of values, and ranges of constants.
import { seasons } from '#rules/catalogue/index.ts';
import { type DocumentSchemas, schemaBuilders } from '#rules/rulesets/index.ts';

const { amount, code, constants, count, flag, grade, setOf, share, strict, text } = schemaBuilders;

const pattern = { type: 'string', pattern: '^[a-z][a-z_]*$' };
const order = { type: 'integer', minimum: 1 };
const month = { type: 'integer', minimum: 1, maximum: 12 };
/** A day that every month has. */
const dayOfMonth = { type: 'integer', minimum: 1, maximum: 28 };

const catalogue = {
  subSkills: setOf(
    strict({
      code,
      ar: text,
      en: text,
      order,
      domain: code,
      grades: setOf(grade, 1),
      gateway: flag,
      accuracyIndicator: flag,
      measuredByOrf: flag,
      prerequisites: setOf(code),
    }),
    1,
  ),
  domains: setOf(strict({ code, ar: text, en: text, order, tile: code }), 1),
  tiles: setOf(strict({ code, ar: text, en: text, order }), 1),
  globalTile: strict({ code, ar: text, en: text }),
  microPatterns: setOf(strict({ code: pattern, errorFamily: pattern, subSkill: code }), 1),
  schoolYear: strict({ startMonth: month, startDay: dayOfMonth }),
  seasons: setOf(strict({ code: { enum: [...seasons] }, months: setOf(month, 1) }), seasons.length),
};

export const documentSchemas: DocumentSchemas = {
  sections: { 'dth/dth': { constants }, 'catalogue/subskills': catalogue },
  constants: {
    'DTH-WIN-01': count(1, 20),
    // A cell of the item bank has 12 items, so a sub-skill that needs more could never be opened.
    'DTH-MIN-01': count(1, 12),
    'DTH-DEF-01': share,
    'DTH-DEF-02': share,
    'DTH-DEF-03': share,
    'DTH-SEV-01': share,
    'DTH-SEV-02': amount(0, 10),
    'DTH-EVD-01': count(1, 100),
    'DTH-COV-01': share,
    'DTH-COH-01': share,
    'DTH-CNF-01': share,
    'DTH-CNF-02': amount(0, 366),
    'DTH-CNF-03': count(1, 20),
    'DTH-CNF-05': amount(0, 366),
    'DTH-BRD-01': count(1, 100),
    'DTH-SUP-01': share,
    'DTH-SLW-01': share,
    'DTH-PRQ-01': share,
    'DTH-RBM-01': share,
    'DTH-CON-01': count(1, 100),
    'DTH-CON-02': count(1, 100),
    'DTH-CON-03': count(1, 20),
    'DTH-PAT-01': count(1, 20),
    'DTH-PAT-02': count(1, 100),
    'DTH-PAT-03': count(1, 20),
    // Weight 0 would leave rates without a denominator.
    'DTH-SRC-01': amount(0.1, 10),
    'DTH-SRC-02': amount(0.1, 10),
    'DTH-SRC-03': amount(0.1, 10),
    'DTH-SLO-01': amount(1, 20),
    'DTH-GTW-01': amount(1, 10),
    'DTH-ORF-01': count(1, 20),
    'DTH-ORF-02': count(0, 20),
    'DTH-ORF-03': count(0, 20),
    'DTH-ORF-04': count(0, 20),
    'DTH-ORF-05': count(0, 20),
    'RBM-RAPID-MS': count(0, 10_000),
    'RBM-RAPID-SHARE': share,
    'RBM-RAPID-COUNT': count(1, 1_000),
    'RBM-RAPID-PART': share,
    'RBM-STREAK': count(2, 1_000),
    'RBM-POSITION': count(2, 1_000),
    'RBM-ALTERNATE': count(2, 1_000),
    'RBM-OMIT-RUN': count(1, 1_000),
    'RBM-OMIT-SERVED': count(1, 1_000),
    'RBM-OMIT-PART': share,
    'RBM-PAUSE-ONE': amount(1, 86_400),
    'RBM-PAUSE-ALL': amount(1, 86_400),
    'RBM-REPLAY-PER-ITEM': count(1, 100),
    'RBM-REPLAY-ITEMS': count(1, 1_000),
    'RBM-SLOW-ANSWERED': count(1, 1_000),
    'RBM-SLOW-PART': share,
    'RBM-CHANGE-PER-ITEM': count(1, 50),
    'RBM-CHANGE-ITEMS': count(1, 1_000),
    'RBM-DECLINE-ANSWERED': count(2, 1_000),
    'RBM-DECLINE-DROP': share,
    'RBM-FRAGMENT': count(1, 1_000),
    // The first wrong answer opens a sub-flag, so an occurrence must reach the lowest level.
    'SUBFLAG-CAN-01': count(1, 1),
    'SUBFLAG-LNK-01': count(1, 1_000),
    'SUBFLAG-PER-01': count(1, 1_000),
    'SUBFLAG-PER-02': count(1, 1_000),
    'SUBFLAG-PER-03': count(1, 1_000),
  },
};
