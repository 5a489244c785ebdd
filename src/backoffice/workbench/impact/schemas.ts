// The schemas of an impact: its request, its progress and its report. Simulators add layers and sections to the report.
import Type, { type Static, type TObject } from 'typebox';
import { simulation } from '#assessment/skill-status/index.ts';
import { Count, Cuid, IntegerId, mapOf, named, nullable, object, oneOf, Timestamp } from '#core/http/schemas.ts';
import { jobStates } from '#core/long-jobs/index.ts';
import { operatorNames, type Simulator } from '#rules/rulesets/index.ts';
import { Sha256 } from '../schemas.ts';
import { directions, exemplarsOfTransition } from './engine/vocabulary.ts';

const RuleWord = named('RuleWord', Type.String({ pattern: '^[a-z][a-z0-9-]*$', maxLength: 60 }));
const Share = named('Share', Type.Number({ minimum: 0, maximum: 1 }));

export const impactParams = object({ jobId: Cuid });

/** An organization, a school, a class, or every organization but demos. */
export const SimulationScope = named(
  'Scope',
  Type.Union([
    object({ organizationId: Cuid }),
    object({ schoolId: Cuid }),
    object({ classId: IntegerId }),
    object({ platform: Type.Literal(true) }),
  ]),
);

/** The default of `asOf` is the present instant. */
export const ImpactBody = object({ scope: SimulationScope, asOf: Type.Optional(Timestamp) });
export const ImpactStarted = named('ImpactStarted', object({ jobId: Cuid }));

const FactValue = named('FactValue', Type.Union([Type.Number(), Type.String({ maxLength: 2_000 }), Type.Boolean()]));
const FailedCondition = named(
  'FailedCondition',
  object({
    fact: Type.String(),
    operator: oneOf(operatorNames),
    value: Type.Union([FactValue, Type.Array(FactValue)]),
    valueRef: Type.Optional(Type.String()),
    at: Type.String(),
    actual: FactValue,
    negated: Type.Boolean(),
  }),
);

/** The outcome for the subject, with its reasons. There are no facts where no table was evaluated. */
const Side = named(
  'Side',
  object({
    ruleId: nullable(Type.String()),
    outcome: Type.String(),
    facts: nullable(mapOf('^[A-Za-z0-9]+$', FactValue)),
    trace: Type.Array(
      object({
        ruleId: Type.String(),
        failed: Type.Optional(FailedCondition),
        held: Type.Optional(Type.Array(FailedCondition)),
      }),
    ),
  }),
);

const Exemplar = named(
  'Exemplar',
  object({
    studentId: IntegerId,
    stampId: Type.String(),
    /** The item of a response, the code of a sub-skill, domain or tile, or whatever a simulator compares. */
    subject: Type.String(),
    before: Side,
    after: Side,
  }),
);

const layerCounts = (layers: readonly string[]) => ({
  layer: oneOf(layers),
  compared: Count,
  changed: Count,
  better: Count,
  worse: Count,
  lateral: Count,
});
const Transitions = Type.Array(
  object({
    from: Type.String(),
    to: Type.String(),
    count: Count,
    direction: oneOf(directions),
    exemplars: Type.Array(Exemplar, { maxItems: exemplarsOfTransition }),
  }),
);

const DocumentName = '^[a-z0-9-]+/[a-z0-9-]+$';
const Versions = named('Versions', mapOf(DocumentName, Type.Integer({ minimum: 1 })));
const StudentCounts = named(
  'StudentCounts',
  object({
    total: Count,
    evaluated: Count,
    withoutResults: Count,
    /** A status that readers see differs. */
    changed: Count,
    /** Something else of the result differs. */
    restated: Count,
  }),
);
const group = { students: Count, changed: Count, share: Share };

/** The fields before the sections of the simulators. */
const openingOf = (layers: readonly string[]) => ({
  changeId: Cuid,
  /** The hash of the change when it was simulated. */
  changeSha256: Sha256,
  documents: Type.Array(object({ family: RuleWord, key: RuleWord, sha256: Sha256 })),
  scope: SimulationScope,
  asOf: Timestamp,
  before: Versions,
  after: Versions,
  students: StudentCounts,
  layers: Type.Array(named('Layer', object({ ...layerCounts(layers), transitions: Transitions }))),
  bySchool: Type.Array(object({ schoolId: nullable(Cuid), ...group })),
  byGrade: Type.Array(object({ grade: Type.Integer({ minimum: 1, maximum: 4 }), ...group })),
  ruleHits: Type.Array(
    object({ document: Type.String({ pattern: DocumentName }), ruleId: Type.String(), before: Count, after: Count }),
  ),
  /** Rows and events that an activation would write. */
  announcements: object({ skillSnapshots: Count, domainSnapshots: Count, macroUpdates: Count }),
});

/** The fields after the sections. */
const closingOf = (layers: readonly string[]) => ({
  /** Students who would be recomputed. */
  recomputes: Count,
  /** Changed constants whose effect is not in the report, because they act before anything is logged. */
  notSimulated: Type.Array(Type.String()),
  /** A part for each organization, in reports over the whole platform. */
  organizations: Type.Array(
    object({ organizationId: Cuid, students: StudentCounts, layers: Type.Array(object(layerCounts(layers))) }),
  ),
  /** SHA-256 of the canonical text of all other fields. */
  reportHash: Sha256,
});

/** `Sections`: the sections of the simulators, by name. */
export type ImpactReport<Sections = object> = Sections &
  Static<TObject<ReturnType<typeof openingOf> & ReturnType<typeof closingOf>>>;

function reportView(simulators: readonly Simulator[]) {
  const layers = [...simulation.layerNames, ...simulators.flatMap((simulator) => simulator.layers)];
  const sections = Object.fromEntries(
    simulators.flatMap(({ section }) => (section ? [[section.name, section.schema]] : [])),
  );
  const report = object({ ...openingOf(layers), ...sections, ...closingOf(layers) });
  return Type.Unsafe<ImpactReport>(named('ImpactReport', report));
}

export const impactView = (simulators: readonly Simulator[]) =>
  named(
    'Impact',
    object({
      jobId: Cuid,
      state: named('JobState', oneOf(jobStates)),
      progress: object({ done: Count, total: Count }),
      /** Why the job failed. */
      issue: nullable(Type.String()),
      report: Type.Optional(reportView(simulators)),
    }),
  );
