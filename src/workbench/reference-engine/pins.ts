// Tables that disagreed with the oracle are pinned to it, and released when they agree again on all that pinned them.

import { type AlertKind, openAlert } from '../../kernel/alerts.ts';
import type { Services } from '../../kernel/services.ts';
import { type Db, enterContext, inContext, isDatabaseDown, type Trx } from '../../platform/db.ts';
import { canonicalJson } from '../../platform/pure/canonical-json.ts';
import { platformOrganizationId } from '../../platform/pure/platform-organization.ts';
import type { ActiveRules } from '../../rulesets/index.ts';
import { askOracle, collect, type DocumentName, decide, type Facts, type Table } from '../../rulesets/index.ts';
import { orderRecomputes } from '../activation/recompute.ts';
import { type Disagreement, disagreement } from './disagreements.ts';

/** Sets of facts kept of one document: enough to see what is wrong with it. */
const mostFacts = 20;

interface PinRow {
  readonly id: number;
  readonly documentId: string;
  readonly pinned: boolean;
  readonly facts: Facts;
}

interface Pin {
  readonly documentId: string;
  /** What it disagreed on since it was last released. */
  readonly facts: readonly Facts[];
  /** The row of the last release; 0 without one. */
  readonly releasedAt: number;
}

/** By document, released ones too. */
async function loadPins(trx: Trx): Promise<Map<string, Pin>> {
  const rows: PinRow[] = await trx('rule_oracle_pin').orderBy('id');
  const pins = new Map<string, Pin>();
  for (const { id, documentId, pinned, facts } of rows) {
    const before = pins.get(documentId) ?? { documentId, facts: [], releasedAt: 0 };
    pins.set(
      documentId,
      pinned ? { ...before, facts: [...before.facts, facts] } : { documentId, facts: [], releasedAt: id },
    );
  }
  return pins;
}

/** In the job's own transaction. One alert for as long as a document stays pinned; facts that are known pin no second time. */
export async function keepDisagreements(
  trx: Trx,
  { id: jobId, organizationId }: { readonly id: string; readonly organizationId: string },
  list: readonly Disagreement[],
  now: Date,
): Promise<void> {
  if (list.length === 0) return;
  const pins = await loadPins(trx);
  for (const documentId of new Set(list.map((one) => one.documentId))) {
    const found = list.filter((one) => one.documentId === documentId);
    const { facts = [], releasedAt = 0 } = pins.get(documentId) ?? {};
    const known = new Set(facts.map(canonicalJson));
    const fresh = found.filter((one) => !known.has(canonicalJson(one.facts)));
    await pin(trx, fresh.slice(0, Math.max(0, mostFacts - known.size)), now);
    await raise(trx, `oracle ${documentId} ${releasedAt}`, { jobId, ...found[0] }, now);
    if (known.size === 0) await putRight(trx, documentId, now);
  }
  await enterContext(trx, { organizationId });
}

/** From now on the oracle answers: whoever was judged by the wrong table is judged again. */
async function putRight(trx: Trx, documentId: string, now: Date): Promise<void> {
  const [name = ''] = documentId.split('@');
  await orderRecomputes(trx, { subject: `oracle ${documentId}`, changed: [name], userId: null }, now);
}

async function pin(trx: Trx, list: readonly Disagreement[], at: Date): Promise<void> {
  if (list.length === 0) return;
  const rows = list.map(({ documentId, facts }) => ({ documentId, pinned: true, facts: JSON.stringify(facts), at }));
  await trx('rule_oracle_pin').insert(rows);
}

export const oracleMismatch: AlertKind = {
  kind: 'qa',
  code: 'ORACLE_MISMATCH',
  severity: 'critical',
  summary: 'A table and the reference engine answer differently; the reference engine answers until they agree.',
};

/** The alert belongs to no organization: the engine is everybody's. */
async function raise(trx: Trx, dedupeKey: string, details: object, at: Date): Promise<void> {
  await enterContext(trx, 'SUPER');
  await openAlert(trx, oracleMismatch, { organizationId: platformOrganizationId, dedupeKey, details, at });
}

/** Releases every document that agrees with the oracle again on all facts that pinned it. */
export async function releasePins({ db, rules, clock }: Services): Promise<void> {
  const pins = await inContext(db, 'SUPER', loadPins);
  for (const { documentId, facts } of pins.values()) {
    if (facts.length === 0 || !(await agrees(db, rules, documentId, facts))) continue;
    await inContext(db, 'SUPER', (trx) =>
      trx('rule_oracle_pin').insert({ documentId, pinned: false, facts: JSON.stringify(facts), at: clock.now() }),
    );
  }
}

/** A document that cannot be read any more stays pinned: nothing is known of it that would release it. */
async function agrees(db: Db, rules: ActiveRules, documentId: string, facts: readonly Facts[]): Promise<boolean> {
  const [name = '', version = ''] = documentId.split('@');
  try {
    const bundle = await rules.pinned(db, { [name as DocumentName]: Number(version) });
    const table = bundle.table(name as DocumentName);
    for (const one of facts) if (disagreement(await answered(table, one))) return false;
    return true;
  } catch (error) {
    if (isDatabaseDown(error)) throw error;
    return false;
  }
}

const answered = async (table: Table, facts: Facts) => ({
  table,
  facts,
  fast: table.isFirstHit ? [decide(table, facts)] : collect(table, facts),
  oracle: await askOracle(table.document, facts),
});
