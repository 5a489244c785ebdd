// Rows that runs wrote as one text each, and the same text made from an evaluation. Almost all rows are as they were written,
// and one text is loaded and compared in a fraction of the time that thirty columns take. It tells that nothing differs; what
// differs is told by the columns.
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { type DomainContent, domainContents, type SkillContent, skillContents } from '../results/rows.ts';
import type { RunHead } from '../results/tables.ts';
import { grouped } from './rows.ts';

interface WrittenRow {
  readonly runId: string;
  /** Of the sub-skill or the domain. */
  readonly code: string;
  readonly decidedAt: string;
  /** All other columns that an evaluation tells. */
  readonly content: string;
}

export interface WrittenRows {
  readonly skills: (runId: string) => readonly WrittenRow[];
  readonly domains: (runId: string) => readonly WrittenRow[];
}

/** What is in a text, in order: a column that may be null has a question mark. Calibration as it was then no evaluation tells. */
const skillColumns = `student_id school_year rule_version bundle_id cis_rule_id pac_rule_id ssr_rule_id pac_decision pac_reason
  outcome status? confidence? decision_strength? modifiers next_data_action? items_needed? facts leading_micro_pattern?
  code_counts newest_unit_ref?`;

const skillText = (row: SkillContent): string =>
  `${stampText(row)}${S}${row.cisRuleId}${S}${row.pacRuleId}${S}${row.ssrRuleId}${S}${row.pacDecision}${S}${row.pacReason}${S}` +
  `${row.outcome}${S}${given(row.status)}${S}${given(row.confidence)}${S}${given(row.decisionStrength)}${S}` +
  `${list(row.modifiers)}${S}${given(row.nextDataAction)}${S}${given(row.itemsNeeded)}${S}${JSON.stringify(row.facts)}${S}` +
  `${given(row.leadingMicroPattern)}${S}${JSON.stringify(row.codeCounts)}${S}${given(row.newestUnitRef)}`;

const domainColumns = `student_id school_year rule_version bundle_id ddr_rule_id dsm_rule_id? outcome status? reason?
  next_data_action? in_scope decided coverage coverage_ok raw_weighted_deficit_rate? gateway_severity? valid_evidence tile_value?
  severe_path? modifiers comp_rule_id? comp_pattern? comp_routing_hint? comp_decoding_state? comp_language_state?
  comp_next_data_action?`;

const domainText = (row: DomainContent): string =>
  `${stampText(row)}${S}${row.ddrRuleId}${S}${given(row.dsmRuleId)}${S}${row.outcome}${S}${given(row.status)}${S}` +
  `${given(row.reason)}${S}${given(row.nextDataAction)}${S}${row.inScope}${S}${row.decided}${S}${row.coverage}${S}` +
  `${flag(row.coverageOk)}${S}${given(row.rawWeightedDeficitRate)}${S}${given(row.gatewaySeverity)}${S}` +
  `${flag(row.validEvidence)}${S}${given(row.tileValue)}${S}${given(row.severePath)}${S}${list(row.modifiers)}${S}` +
  `${given(row.compRuleId)}${S}${given(row.compPattern)}${S}${given(row.compRoutingHint)}${S}` +
  `${given(row.compDecodingState)}${S}${given(row.compLanguageState)}${S}${given(row.compNextDataAction)}`;

const stampText = ({ studentId, schoolYear, ruleVersion, bundleId }: SkillContent | DomainContent): string =>
  `${studentId}${S}${schoolYear}${S}${ruleVersion}${S}${bundleId}`;

/** Stands between values. No word, number or JSON text that an evaluation makes holds it: so one text is of one row. */
const S = '\u001f';

/** A value is told from none by its first letter. */
const given = (value: string | number | null): string => (value === null ? '-' : `=${value}`);
/** As PostgreSQL writes words without quotes. */
const list = (words: readonly string[]): string => `{${words.join(',')}}`;
const flag = (value: boolean): string => (value ? 't' : 'f');

const contentOf = (columns: string): string => {
  const members = columns.split(/\s+/).map((name) => {
    return name.endsWith('?') ? `coalesce('=' || s.${name.slice(0, -1)}, '-')` : `s.${name}`;
  });
  return `concat_ws(chr(31), ${members.join(', ')})`;
};

/** All runs belong to one organization. */
export async function writtenRows(trx: Trx, runs: readonly RunHead[]): Promise<WrittenRows> {
  const bindings = {
    organizationId: runs[0]?.organizationId ?? '',
    runIds: runs.map(({ id }) => id),
    studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
  };
  const ofRuns = async (table: string, code: string, columns: string) =>
    grouped(
      await rowsOf<WrittenRow>(
        trx,
        `select s.run_id, s.${code} as code, s.decided_at, ${contentOf(columns)} as content from ${table} s
         where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[])
           and s.run_id = any(:runIds::text[])`,
        bindings,
      ),
    );
  return {
    skills: await ofRuns('sse_skill_snapshot', 'sub_skill_code', skillColumns),
    domains: await ofRuns('sse_domain_snapshot', 'domain_code', domainColumns),
  };
}

/** Whether each row that the run wrote is what its evaluation says. A run appends only rows that are new. */
export function isAsWritten(run: RunHead, written: WrittenRows, evaluation: StudentEvaluation): boolean {
  const [skills, domains] = [written.skills(run.id), written.domains(run.id)];
  if (skills.length + domains.length === 0) return true;
  const skillsAgain = new Map(skillContents(run, evaluation, unknown).map((row) => [row.subSkillCode, row]));
  const domainsAgain = new Map(domainContents(run, evaluation).map((row) => [row.domainCode, row]));
  return areAsWritten(run, skills, skillsAgain, skillText) && areAsWritten(run, domains, domainsAgain, domainText);
}

const unknown: ReadonlySet<string> = new Set();

function areAsWritten<Content>(
  { asOf }: RunHead,
  written: readonly WrittenRow[],
  again: Map<string, Content>,
  textOf: (content: Content) => string,
): boolean {
  return written.every(({ code, decidedAt, content }) => {
    const made = again.get(code);
    // Of two rows of one sub-skill the columns tell.
    again.delete(code);
    return made !== undefined && decidedAt === asOf && content === textOf(made);
  });
}
