// The review record of an item. It applies to one version; a changed item counts as not reviewed.
import Type, { type Static } from 'typebox';
import type { Item } from './item.ts';

export const reviewStages = ['authored', 'languageReviewed', 'specialistReviewed'] as const;
export type ReviewStage = (typeof reviewStages)[number];

/**
 * `unsigned_draft`: written or revised, not signed by a person. `signed`: signed by its author. `accepted`,
 * `accepted_with_changes` (the changes are in this version), `returned`, `withdraw`: decisions of a reviewer.
 */
const decisionsOf: Readonly<Record<ReviewStage, readonly string[]>> = {
  authored: ['unsigned_draft', 'signed'],
  languageReviewed: ['accepted', 'accepted_with_changes', 'returned', 'withdraw'],
  specialistReviewed: ['accepted', 'accepted_with_changes', 'returned', 'withdraw'],
};

const closed = { additionalProperties: false };
const stage = (name: ReviewStage) =>
  Type.Union([
    Type.Object(
      {
        date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
        decision: Type.Union(decisionsOf[name].map((decision) => Type.Literal(decision))),
      },
      closed,
    ),
    Type.Null(),
  ]);

const ReviewRecord = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    authored: stage('authored'),
    languageReviewed: stage('languageReviewed'),
    specialistReviewed: stage('specialistReviewed'),
  },
  closed,
);
export type ReviewRecord = Static<typeof ReviewRecord>;

/** One file per cell: item id → record. */
export const ReviewFile = Type.Record(Type.String({ pattern: '^[A-Z_]+-G(12|34)-[0-9]{2}$' }), ReviewRecord);
export type ReviewFile = Static<typeof ReviewFile>;

const unreviewed = (version: number): ReviewRecord => ({
  version,
  authored: null,
  languageReviewed: null,
  specialistReviewed: null,
});

/** Returns the review of this version of the item; records of other versions do not apply. */
export const reviewOf = ({ id, version }: Item, records: ReviewFile): ReviewRecord =>
  records[id]?.version === version ? records[id] : unreviewed(version);

/**
 * Returns the cell's records with one stage set for these items, without records of older versions. Throws RangeError
 * for an unknown decision.
 */
export function decided(
  cell: readonly Item[],
  records: ReviewFile,
  { stage, decision, date, ids }: { stage: ReviewStage; decision: string; date: string; ids: ReadonlySet<string> },
): ReviewFile {
  if (!decisionsOf[stage].includes(decision)) {
    throw new RangeError(`${stage} is one of ${decisionsOf[stage].join(', ')}, not ${decision}`);
  }
  return Object.fromEntries(
    cell.map((item) => {
      const record = reviewOf(item, records);
      return [item.id, ids.has(item.id) ? { ...record, [stage]: { date, decision } } : record];
    }),
  );
}

/** Returns how many items of a cell have passed each stage in their present version. */
export function reviewState(cell: readonly Item[], records: ReviewFile): Record<ReviewStage, number> {
  const reviews = cell.map((item) => reviewOf(item, records));
  const passed = (name: ReviewStage) => reviews.filter((review) => isPassed(name, review[name]?.decision)).length;
  return {
    authored: passed('authored'),
    languageReviewed: passed('languageReviewed'),
    specialistReviewed: passed('specialistReviewed'),
  };
}

/** An unsigned draft and a returned item have not passed. */
const isPassed = (name: ReviewStage, decision: string | undefined): boolean =>
  name === 'authored' ? decision === 'signed' : decision === 'accepted' || decision === 'accepted_with_changes';
