// Lists of the history of patterns and of session behaviour.

import { defaultLimit, keyInCursor, type Page, type PageQuery, pageOf } from '#core/http/pages.ts';
import type { Trx } from '#core/platform/db.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import { ruleStamp, type Versions } from '#rules/rulesets/index.ts';
import { BehaviourLog } from '../../measurement/index.ts';
import type { SkillRow } from '../results/tables.ts';

/** Lists patterns of all school years, newest first. */
export async function listPatternHistory(
  trx: Trx,
  { id: studentId, organizationId }: StudentInScope,
  { limit = defaultLimit, cursor, subSkillCode }: PageQuery & { readonly subSkillCode?: string },
): Promise<Page<ReturnType<typeof presentPattern>>> {
  const query = trx('sse_skill_snapshot as s')
    .join('sse_run as r', { 'r.organizationId': 's.organizationId', 'r.id': 's.runId' })
    .where({ 's.organizationId': organizationId, 's.studentId': studentId })
    .orderBy('s.id', 'desc')
    .limit(limit + 1)
    .select('s.*', 'r.ruleVersions');
  const after = keyInCursor(cursor, ['number']);
  if (after) query.where('s.id', '<', after[0] ?? 0);
  if (subSkillCode !== undefined) query.where({ subSkillCode });
  const rows: PatternRow[] = await query;
  return pageOf(rows, limit, ({ id }) => [id], presentPattern);
}

interface PatternRow extends SkillRow {
  /** The versions of the run. */
  readonly ruleVersions: Versions;
}

const presentPattern = (row: PatternRow) => ({
  runId: row.runId,
  asOf: row.decidedAt,
  subSkillCode: row.subSkillCode,
  cisRuleId: row.cisRuleId,
  pacRuleId: row.pacRuleId,
  decision: row.pacDecision,
  reason: row.pacReason,
  patternState: row.facts.patternState,
  leadingMicroPattern: row.leadingMicroPattern,
  codeCounts: { ...row.codeCounts },
  ruleVersion: ruleStamp(row.ruleVersions, 'pac'),
});

interface BehaviorRow {
  readonly id: number;
  readonly source: 'diagnostic' | 'practice';
  readonly sessionId: string;
  readonly at: string;
  readonly flags: string[];
  readonly facts: Record<string, number>;
  readonly ruleVersion: string;
}

export async function listBehaviorLogs(
  trx: Trx,
  { id: studentId, organizationId }: StudentInScope,
  { limit = defaultLimit, cursor }: PageQuery,
): Promise<Page<ReturnType<typeof presentBehavior>>> {
  const query = BehaviourLog.query(trx)
    .where({ organizationId, studentId })
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit + 1);
  const after = keyInCursor(cursor, ['instant', 'number']);
  if (after) query.whereRaw('(at, id) < (?::timestamptz, ?)', [String(after[0]), after[1] ?? 0]);
  const rows = await query.castTo<BehaviorRow[]>();
  return pageOf(rows, limit, ({ at, id }) => [at, id], presentBehavior);
}

const presentBehavior = ({ source, sessionId, at, flags, facts, ruleVersion }: BehaviorRow) => ({
  source,
  sessionId,
  at,
  flags,
  facts,
  ruleVersion,
});
