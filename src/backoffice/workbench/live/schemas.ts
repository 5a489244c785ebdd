// Request and response schemas of the live impact and of the distribution of a fact.
import Type from 'typebox';
import { simulation } from '#assessment/skill-status/index.ts';
import {
  Count,
  Cuid,
  IntegerId,
  IntegerIdText,
  named,
  nullable,
  object,
  oneOf,
  Timestamp,
} from '#core/http/schemas.ts';
import { findingCodes } from '#rules/rulesets/index.ts';
import { mostDocuments } from '../changes/edit.ts';
import { ConstantId } from '../changes/scopes.ts';
import { SimulationScope } from '../impact/schemas.ts';
import { AnyDocument, FamilyName, KeyName, VersionMap } from '../schemas.ts';
import { mostBins } from './engine/bins.ts';
import { jobIssues } from './obstacles.ts';
import { mostListed } from './question.ts';

const Outcome = Type.String({ maxLength: 200 });
const Layer = oneOf(simulation.layerNames);
const ConstantValue = Type.Union([Type.Number(), Type.String({ maxLength: 200 }), Type.Boolean()]);
/** Larger than every constant. */
const largest = 1e9;
const ProposedValue = Type.Union([
  Type.Number({ minimum: -largest, maximum: largest }),
  Type.String({ maxLength: 200 }),
  Type.Boolean(),
]);

export const LiveImpactBody = object({
  scope: SimulationScope,
  changeId: Type.Optional(Cuid),
  versions: Type.Optional(VersionMap),
  constants: Type.Optional(
    Type.Array(object({ constantId: ConstantId, value: ProposedValue }), { maxItems: mostDocuments }),
  ),
  documents: Type.Optional(
    Type.Array(object({ family: FamilyName, key: KeyName, document: AnyDocument }), { maxItems: mostDocuments }),
  ),
  students: Type.Optional(object({ layer: Layer, from: Outcome, to: Outcome })),
  maxMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 2_000, default: 500 })),
});

const liveImpactStates = ['exact', 'counting', 'warming', 'not_evaluable', 'job_needed'] as const;
export type LiveImpactState = (typeof liveImpactStates)[number];

const LiveImpactStateName = named(
  'LiveImpactState',
  oneOf(liveImpactStates, {
    description:
      'exact: all were seen; counting: time was up, the same question goes on; warming: numbers of what is loaded so far; ' +
      'not_evaluable: the issue says why; job_needed: only an impact job can tell.',
  }),
);

const LiveIssue = named('LiveIssue', oneOf([...findingCodes, 'nothing_to_simulate', ...jobIssues]));

const Transition = object({ from: Type.String(), to: Type.String(), count: Count });
const RegionSide = nullable(object({ ruleId: Type.String(), outcome: Type.String() }));

export const LiveImpactView = named(
  'LiveImpact',
  object({
    state: LiveImpactStateName,
    issue: nullable(LiveIssue),
    of: named('LiveStudents', Type.Integer({ minimum: 0, description: 'Students with a run of the school year.' })),
    seen: Count,
    changed: Count,
    restated: Count,
    layers: Type.Array(
      named(
        'LiveLayer',
        object({
          layer: Layer,
          changed: Count,
          better: Count,
          worse: Count,
          lateral: Count,
          transitions: Type.Array(Transition, { description: 'Outcomes that differ.' }),
        }),
      ),
    ),
    byGrade: Type.Array(object({ grade: Type.Integer({ minimum: 1, maximum: 4 }), students: Count, changed: Count })),
    ruleHits: Type.Array(object({ document: Type.String(), ruleId: Type.String(), before: Count, after: Count })),
    regions: Type.Array(
      named(
        'LiveRegion',
        object({ family: FamilyName, key: KeyName, before: RegionSide, after: RegionSide, students: Count }),
      ),
    ),
    students: nullable(
      Type.Array(
        named(
          'LiveStudent',
          object({
            studentId: IntegerId,
            subject: Type.String(),
            classId: nullable(IntegerId),
            schoolId: nullable(Cuid),
          }),
        ),
        { maxItems: mostListed },
      ),
    ),
    indexedAt: Timestamp,
    runsBehind: Count,
  }),
);

const Fact = Type.String({ maxLength: 80, pattern: '^[a-z][A-Za-z0-9]*$' });

export const factParams = object({ family: FamilyName, key: KeyName, fact: Fact });

export const FactDistributionQuery = object({
  platform: Type.Optional(Type.Literal('true')),
  organizationId: Type.Optional(Cuid),
  schoolId: Type.Optional(Cuid),
  classId: Type.Optional(IntegerIdText),
});

const BinEnd = Type.Union([Type.Number(), Type.String(), Type.Boolean()]);

export const FactDistributionView = named(
  'FactDistribution',
  object({
    state: LiveImpactStateName,
    bins: Type.Array(
      named(
        'FactBin',
        object(
          { from: BinEnd, to: BinEnd, questions: Count, students: Count },
          {
            description: 'Values from the first end up to, and without, the second; of one value where both are equal.',
          },
        ),
      ),
      { maxItems: mostBins },
    ),
    cuts: Type.Array(object({ constantId: ConstantId, value: ConstantValue })),
  }),
);
