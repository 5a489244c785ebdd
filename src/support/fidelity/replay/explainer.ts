// Explains for the workbench why an assignment passed or failed its gate.

import Type, { type Static } from 'typebox';
import { CalendarDate, Cuid, named, object } from '#core/http/schemas.ts';
import type { Services } from '#core/module/services.ts';
import type { ReadTransaction } from '#core/platform/db.ts';
import { rowIdIn } from '#core/platform/ids.ts';
import { inAnyOrganization } from '#core/platform/statements/any-organization.ts';
import { reasonOf, sentencesInForce } from '#rules/catalogue/index.ts';
import { decisionOf, type Explainer, explainedFrame } from '#rules/rulesets/index.ts';
import { type FidelitySnapshot, StoredFidelitySnapshot } from '../counting/store.ts';
import { factCategories } from '../engine/fact-categories.ts';
import { presentRecord } from '../reads/present.ts';
import { FidelityRecord } from '../reads/schemas.ts';
import { replayCount } from './replay-count.ts';

const ExplainedFidelity = named(
  'ExplainedFidelity',
  object({
    kind: Type.Literal('fidelity'),
    ...explainedFrame,
    result: FidelityRecord,
    /** The counted sessions. */
    from: object({
      assignmentId: Cuid,
      startOn: CalendarDate,
      deliveredOn: Type.Array(CalendarDate),
      missedOn: Type.Array(CalendarDate),
    }),
  }),
);

/** Kind `fidelity:<id>`. Uses the pinned rules only. */
export const fidelityExplainer: Explainer = {
  kinds: ['fidelity'],
  view: ExplainedFidelity,
  async explain(reading, services, _kind, id) {
    const number = rowIdIn(id);
    return number === undefined ? undefined : explainSnapshot(reading, services, number);
  },
};

async function explainSnapshot(
  reading: ReadTransaction,
  services: Services,
  id: number,
): Promise<Static<typeof ExplainedFidelity> | undefined> {
  const snapshot: FidelitySnapshot | undefined = await reading(async (trx) =>
    StoredFidelitySnapshot.query(trx).modify(inAnyOrganization).where({ id }).first(),
  );
  if (!snapshot) return undefined;
  const { assignmentId, studentId, facts } = snapshot;
  const { calls, fields } = await replayCount(services.db, services.rules, snapshot);
  const decisions = calls.map((call) => decisionOf(call, String(studentId)));
  return {
    ...{ stampId: `fidelity:${id}`, kind: 'fidelity', organizationId: snapshot.organizationId, studentId },
    ...{ asOf: snapshot.computedAt, ruleVersions: { ...snapshot.ruleVersions }, result: presentRecord(snapshot) },
    ...{
      decisions,
      matchesStored: fields.length === 0,
      ...reasonOf(await sentencesInForce(reading, services), 'FIDELITY', decisions, factCategories),
    },
    from: {
      ...{ assignmentId, startOn: facts.plan.startOn },
      ...{ deliveredOn: [...facts.plan.deliveries], missedOn: [...facts.missed] },
    },
  };
}
