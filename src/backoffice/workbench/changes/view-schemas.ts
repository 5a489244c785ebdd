// Request and response schemas of what is asked of a change: its differences, its trials, comments and its rebase.
import Type from 'typebox';
import { Count, IntegerId, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { type ChangeLevel, changeLevels, type RuleDiff } from '#rules/rulesets/index.ts';
import { rowChanges } from '../enums.ts';
import { AnyDocument, BoxSchema, FamilyName, KeyName, TryAnswer, TryFacts } from '../schemas.ts';
import type { RowDifference } from '../validation/engine/row-differences.ts';
import { BaseVersion, ConstantChange, lines } from './schemas.ts';
import { ConstantId } from './scopes.ts';

export const DiffQuery = object({ against: Type.Optional(oneOf(['active', 'base'])) });

const Changed = () => Type.Array(object({ name: Type.String(), before: Type.Unknown(), after: Type.Unknown() }));
const RegionAnswer = nullable(object({ ruleId: Type.String(), outcome: Type.String(), params: AnyDocument }));

const RowView = object({
  ruleId: Type.String(),
  kind: oneOf(rowChanges),
  /** Facts, and `outcome` for all else of the rule. */
  cells: Type.Array(Type.String()),
});

const DiffView = named(
  'Diff',
  Type.Unsafe<RuleDiff & { readonly rows: readonly RowDifference[] }>(
    object({
      before: Type.String(),
      after: Type.String(),
      level: oneOf(changeLevels),
      constants: Changed(),
      facts: Changed(),
      sections: Changed(),
      regions: nullable(
        Type.Array(
          object({ before: RegionAnswer, after: RegionAnswer, share: Type.Number(), boxes: Type.Array(BoxSchema) }),
        ),
      ),
      rows: Type.Array(RowView),
    }),
  ),
);

export const ChangeDiffView = named(
  'ChangeDiff',
  object({
    level: Type.Unsafe<ChangeLevel>(oneOf(changeLevels)),
    constants: Type.Array(ConstantChange),
    documents: Type.Array(DiffView),
  }),
);

export const TryChangeBody = Type.Union([
  object({ family: FamilyName, key: KeyName, facts: TryFacts }),
  object({ studentId: IntegerId }),
]);

const LayersView = object({
  layers: Type.Array(
    object({
      layer: Type.String(),
      answers: Type.Array(object({ subject: Type.String(), ruleId: nullable(Type.String()), outcome: Type.String() })),
    }),
  ),
});
export const TryChangeView = named(
  'ChangeTrial',
  Type.Unsafe<{ readonly before: object | null; readonly after: object }>(
    Type.Union([
      object({ before: nullable(TryAnswer), after: TryAnswer }),
      object({ before: LayersView, after: LayersView }),
    ]),
  ),
);

const ruleId = Type.String({ minLength: 1, maxLength: 200 });
const place = { family: FamilyName, key: KeyName };
export const CommentBody = object({
  text: Type.String({ minLength: 1, maxLength: 2_000, pattern: lines }),
  on: Type.Optional(
    Type.Union([object({ ...place }), object({ ...place, ruleId }), object({ ...place, constantId: ConstantId })]),
  ),
});
export const CommentView = named(
  'ChangeComment',
  object({
    commentId: IntegerId,
    userId: IntegerId,
    at: Timestamp,
    submission: Count,
    text: Type.String(),
    on: nullable(
      object({
        ...place,
        ruleId: Type.Optional(Type.String()),
        constantId: Type.Optional(Type.String()),
      }),
    ),
  }),
);

export const RebaseView = named(
  'ChangeRebase',
  object({
    moves: Type.Array(object({ ...place, from: BaseVersion, to: BaseVersion })),
    conflicts: Type.Array(
      object({
        ...place,
        path: Type.String(),
        base: Type.Unknown(),
        theirs: Type.Unknown(),
        mine: Type.Unknown(),
      }),
    ),
  }),
);
export const RebaseBody = object({
  take: Type.Array(
    object({ ...place, path: Type.String({ minLength: 1, maxLength: 2_100 }), side: oneOf(['mine', 'theirs']) }),
    { maxItems: 2_000 },
  ),
});
