// Reads the constants of the rules in force, and the values that one of them had.
import Type from 'typebox';
import { ok } from '#core/http/answers.ts';
import { Count, Cuid, IntegerId, Nothing, named, nullable, object, Timestamp } from '#core/http/schemas.ts';
import { route } from '#core/module/route.ts';
import { platformData } from '#core/module/scopes.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';
import { ConstantId } from '../changes/scopes.ts';
import { FamilyName, KeyName, UserIds } from '../schemas.ts';
import { constantHistory } from './history.ts';
import { listConstants, readConstant } from './list.ts';

const ConstantValueView = nullable(Type.Union([Type.Number(), Type.String(), Type.Boolean()]));
const constant = {
  constantId: ConstantId,
  value: ConstantValueView,
  unit: nullable(Type.String()),
  rationale: Type.String(),
  documents: Type.Array(Type.String()),
  /** The facts that are compared with it. */
  facts: Type.Array(object({ family: FamilyName, key: KeyName, fact: Type.String() })),
  /** The newest change of it that came into force. */
  lastChange: nullable(object({ changeId: Cuid, title: Type.String(), at: Timestamp })),
};
const RuleConstant = named('RuleConstant', object(constant));

const RuleConstantHistory = named(
  'RuleConstantHistory',
  object({
    ...constant,
    history: Type.Array(
      object({
        value: ConstantValueView,
        versions: Type.Array(Type.String()),
        changeId: nullable(Cuid),
        title: nullable(Type.String()),
        why: nullable(Type.String()),
        authorUserId: nullable(IntegerId),
        approvedBy: UserIds,
        publishedAt: nullable(Timestamp),
        activeFrom: nullable(Timestamp),
        activeTo: nullable(Timestamp),
        /** Students whose statuses would change, of the report that was approved. */
        predicted: nullable(Count),
        /** Students whom the recompute gave another result. */
        changed: nullable(Count),
      }),
    ),
  }),
);

const shared = {
  tag: 'rules workbench',
  allow: ['RUN_BACKOFFICE'],
  scope: platformData,
  demo: 'read',
  method: 'get',
  errors: ['ENGINE_UNAVAILABLE'],
} as const;

export const constantRoutes = [
  route({
    ...shared,
    path: '/api/admin/rule-constants',
    operation: 'listRuleConstants',
    summary: 'All constants of the rules in force, with the documents and facts that they stand in',
    answers: { 200: object({ items: Type.Array(RuleConstant) }), 304: Nothing },
    run: async ({ services, trx, now }) => {
      const items = await listConstants(services, trx, now);
      return { ...ok({ items }), headers: { etag: `"${canonicalHash({ items })}"` } };
    },
  }),
  route({
    ...shared,
    path: '/api/admin/rule-constants/:constantId',
    operation: 'getRuleConstant',
    summary: 'A constant and the values that it had: by which change, from when to when, for whom',
    params: object({ constantId: ConstantId }),
    answers: { 200: RuleConstantHistory },
    run: async ({ services, trx, params: { constantId }, now }) => {
      const found = await readConstant(services, trx, constantId, now);
      return ok({ ...found, history: await constantHistory(trx, constantId, now) });
    },
  }),
];
