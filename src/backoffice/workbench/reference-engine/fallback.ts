// Tables that disagree with the reference engine are answered by it, until they agree again on all facts on which they disagreed.

import { EngineFallback } from '#assessment/skill-status/index.ts';
import { type AlertKind, openAlert } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, enterContext, inContext, isDatabaseDown, type Trx } from '#core/platform/db.ts';
import { canonicalJson } from '#core/platform/pure/canonical-json.ts';
import { platformOrganizationId } from '#core/platform/pure/platform-organization.ts';
import type { ActiveRules } from '#rules/rulesets/index.ts';
import {
  askReferenceEngine,
  collect,
  type DocumentName,
  decide,
  type Facts,
  type Table,
} from '#rules/rulesets/index.ts';
import { orderRecomputes } from '../activation/recompute.ts';
import { type Disagreement, disagreement } from './disagreements.ts';

/** Sets of facts that are stored of one document: enough to see what is wrong with it. */
const mostFacts = 20;

interface FallbackRow {
  readonly documentId: string;
  readonly onFallback: boolean;
  readonly facts: Facts;
}

interface Fallback {
  readonly documentId: string;
  /** The facts on which it has disagreed since it was last released. */
  readonly facts: readonly Facts[];
}

/** Fallbacks by document, including released ones. */
async function loadFallbacks(trx: Trx): Promise<Map<string, Fallback>> {
  const rows = await EngineFallback.query(trx).orderBy('id').castTo<FallbackRow[]>();
  const fallbacks = new Map<string, Fallback>();
  for (const { documentId, onFallback, facts } of rows) {
    const before = fallbacks.get(documentId)?.facts ?? [];
    fallbacks.set(documentId, { documentId, facts: onFallback ? [...before, facts] : [] });
  }
  return fallbacks;
}

/** Runs in the job's transaction. Opens one alert an hour for a document, and does not add facts that are stored already. */
export async function saveDisagreements(
  trx: Trx,
  { id: jobId, organizationId }: { readonly id: string; readonly organizationId: string },
  list: readonly Disagreement[],
  now: Date,
): Promise<void> {
  if (list.length === 0) return;
  const fallbacks = await loadFallbacks(trx);
  for (const documentId of new Set(list.map((one) => one.documentId))) {
    const found = list.filter((one) => one.documentId === documentId);
    const { facts = [] } = fallbacks.get(documentId) ?? {};
    const known = new Set(facts.map(canonicalJson));
    const fresh = found.filter((one) => !known.has(canonicalJson(one.facts)));
    await appendFallbacks(trx, fresh.slice(0, Math.max(0, mostFacts - known.size)), now);
    await raise(trx, documentId, { jobId, ...found[0] }, now);
    if (known.size === 0) await recomputeAffected(trx, documentId, now);
  }
  await enterContext(trx, { organizationId });
}

/** The reference engine answers from now on. Students whose results came from the wrong table are recomputed. */
async function recomputeAffected(trx: Trx, documentId: string, now: Date): Promise<void> {
  const [name = ''] = documentId.split('@');
  await orderRecomputes(trx, { subject: `fallback ${documentId}`, changed: [name], userId: null }, now);
}

async function appendFallbacks(trx: Trx, list: readonly Disagreement[], at: Date): Promise<void> {
  if (list.length === 0) return;
  const rows = list.map(({ documentId, facts }) => ({
    documentId,
    onFallback: true,
    facts,
    at: at.toISOString(),
  }));
  await EngineFallback.query(trx).insert(rows);
}

export const referenceMismatch: AlertKind = {
  kind: 'qa',
  code: 'ORACLE_MISMATCH',
  severity: 'critical',
  subject: 'rule_document',
  summary: 'A table and the reference engine answer differently; the reference engine answers until they agree.',
};

/** The alert belongs to no organization, because all of them share the engine. */
async function raise(trx: Trx, subjectId: string, details: object, at: Date): Promise<void> {
  await enterContext(trx, 'SUPER');
  await openAlert(trx, referenceMismatch, { organizationId: platformOrganizationId, subjectId, details, at });
}

/** Releases every document that agrees with the reference engine again on all facts that it disagreed on. */
export async function releaseFallbacks({ db, rules, clock }: Services): Promise<void> {
  const fallbacks = await inContext(db, 'SUPER', loadFallbacks);
  for (const { documentId, facts } of fallbacks.values()) {
    if (facts.length === 0 || !(await agrees(db, rules, documentId, facts))) continue;
    await inContext(db, 'SUPER', (trx) =>
      EngineFallback.query(trx)
        .insert({
          documentId,
          onFallback: false,
          facts,
          at: clock.now().toISOString(),
        })
        .execute(),
    );
  }
}

/** A document that can no longer be read stays on the fallback, because nothing shows that it agrees. */
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
  reference: await askReferenceEngine(table.document, facts),
});
