// A small capability with each recipe of docs/recipes.md that declares rows, documents or routes: notifications,
// evidence, checks, printed documents and rules.
import Type from 'typebox';
import type { StudentSession } from '#assessment/measurement/index.ts';
import { recomputeOn } from '#assessment/skill-status/index.ts';
import { IntegerId, object } from '#core/http/schemas.ts';
import type { Capability } from '#core/module/capability.ts';
import { eventKind, TextId } from '#core/module/events.ts';
import type { ReportKind } from '#messaging/documents/index.ts';
import { notice, notificationKind, notify } from '#messaging/notifications/index.ts';
import {
  DecisionView,
  decisionOf,
  evidence,
  type FactCategories,
  fixed,
  NearestChangeView,
  nearestChange,
  replayQuestion,
  schemaBuilders,
} from '#rules/rulesets/index.ts';
import { sizeSimulator } from './small-simulator.ts';

export const grown = eventKind({
  topic: 'small.grown',
  summary: 'It has grown.',
  payload: object({ size: IntegerId }),
});

export const completed = eventKind({
  topic: 'small.completed',
  summary: 'A student has completed with it.',
  payload: object({ studentId: IntegerId, sessionId: TextId }),
});

const smallGrown = notificationKind('small_grown', object({ size: Type.Integer({ minimum: 1 }) }));

export const smallReport: ReportKind = {
  ...{ kind: 'small_report', askedOnce: 'while_open', keepDays: 1, mostBytes: 100, discloses: null },
  target: { schema: object({ small: Type.String() }), of: (small) => ({ small }) },
  prepare: async (_services, _trx, { subject }) => ({
    ...{ contentType: 'text/plain', fileName: 'small.txt', studentIds: [] },
    render: async () => Buffer.from(`small ${subject}`),
  }),
  requireReach: async () => {},
};

const factCategories: FactCategories = { 'small/table': { ...evidence('size'), ...fixed('isOld') } };
const size = { type: 'integer', minimum: 1, maximum: 4 };

/** `recipients` receive the notification of growth. `sessions` are those of each student. */
export const smallCapability = (
  recipients: readonly number[],
  sessions: ReadonlyMap<number, readonly StudentSession[]>,
): Capability => ({
  name: 'small',
  events: [grown, completed],
  reactions: [
    notify({
      name: 'notify-small-grown',
      to: [grown],
      notices: async (_trx, _organizationId, events) =>
        new Map(
          events.map(({ id, payload }) => [
            id,
            [notice(smallGrown, payload, { recipients: recipients, source: { type: 'small', id: `${id}` } })],
          ]),
        ),
    }),
    recomputeOn({
      ...{ name: 'recompute-on-small-completed', to: completed, trigger: 'practice_completed' },
      refOf: ({ sessionId }) => sessionId,
    }),
  ],
  notificationKinds: [smallGrown],
  evidenceReaders: [
    async () =>
      ({ studentId, from, to }) =>
        (sessions.get(studentId) ?? []).filter(({ session: { endedAt } }) => endedAt >= from && endedAt <= to),
  ],
  probes: [
    {
      ...{ check: 'SMALL_IS_GIANT', kind: 'runtime', subject: 'small', of: 'platform' },
      findings: `select organization_id, id::text as id, null::bigint as student_id from outbox
        where topic = 'small.grown' and (payload ->> 'size')::integer > 1000`,
    },
  ],
  reportKinds: [smallReport],
  ruleFamilies: [{ family: 'small' }],
  documentSchemas: {
    sections: { 'small/sizes': { constants: schemaBuilders.constants, size } },
    constants: { 'SML-MAX-01': schemaBuilders.count(1, 5) },
  },
  factCategories,
  simulators: [sizeSimulator(sessions)],
  explainers: [
    {
      kinds: ['small'],
      view: object({ decision: DecisionView, nearestChange: Type.Union([NearestChangeView, Type.Null()]) }),
      explain: async (reading, { rules, clock }, _kind, id) => {
        const bundle = (await reading((trx) => rules.at(trx, clock.now()))).rules;
        const call = replayQuestion(bundle.table('small/table'), { size: Number(id), isOld: false });
        if (!call) return undefined;
        const decision = decisionOf(call, id);
        return { decision, nearestChange: nearestChange(decision, factCategories, () => true) };
      },
    },
  ],
});
