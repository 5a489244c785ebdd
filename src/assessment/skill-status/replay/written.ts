// Compares the rows of a run as one text. Almost all rows are unchanged, and one text is loaded and compared in a
// fraction of the time of thirty columns of thirty rows. The text shows only whether rows differ; the columns show
// where.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { type DomainContent, domainContents, type SkillContent, skillContents } from '../results/rows.ts';
import type { RunHead } from '../results/tables.ts';

/** The text of one run's rows in one table. */
interface Written {
  readonly runId: string;
  /** Codes of the sub-skills or domains. */
  readonly codes: readonly string[];
  /** The earliest and latest `as_of` of the rows, which are equal within a run. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** All other columns that an evaluation gives, row by row in the order of the codes. */
  readonly content: string;
}

export interface WrittenRows {
  readonly skills: (runId: string) => Written | undefined;
  readonly domains: (runId: string) => Written | undefined;
}

/**
 * The columns of a text, in order; nullable columns have a question mark. The calibration state is not part of an
 * evaluation.
 */
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

/** Separator of values, as R of rows. No value contains them, so equal texts mean equal rows. */
const S = '\u001f';

/** Separator of rows. */
const R = '\u001e';

/** Encodes null and values by different first characters. */
const given = (value: string | number | null): string => (value === null ? '-' : `=${value}`);
/** Returns the text that PostgreSQL gives for an array of unquoted words. */
const list = (words: readonly string[]): string => `{${words.join(',')}}`;
const flag = (value: boolean): string => (value ? 't' : 'f');

const contentOf = (columns: string): string => {
  const members = columns.split(/\s+/).map((name) => {
    return name.endsWith('?') ? `coalesce('=' || s.${name.slice(0, -1)}, '-')` : `s.${name}`;
  });
  return `concat_ws(chr(31), ${members.join(', ')})`;
};

/** Returns the written texts. All runs belong to one organization. */
export async function writtenRows(trx: Trx, runs: readonly RunHead[]): Promise<WrittenRows> {
  const bindings = {
    organizationId: runs[0]?.organizationId ?? '',
    runIds: runs.map(({ id }) => id),
    studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
  };
  const ofRuns = async (table: string, code: string, columns: string) => {
    const rows = await rowsOf<Written>(
      trx,
      `select s.run_id, array_agg(s.${code}) as codes, min(s.decided_at) as first_at, max(s.decided_at) as last_at,
         string_agg(${contentOf(columns)}, chr(30)) as content
       from ${table} s
       where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[])
         and s.run_id = any(:runIds::text[])
       group by s.run_id`,
      bindings,
    );
    const byRun = new Map(rows.map((row) => [row.runId, row]));
    return (runId: string) => byRun.get(runId);
  };
  return {
    skills: await ofRuns('sse_skill_snapshot', 'sub_skill_code', skillColumns),
    domains: await ofRuns('sse_domain_snapshot', 'domain_code', domainColumns),
  };
}

/** Returns whether each written row equals the evaluation. A run appends only new rows. */
export function isAsWritten(run: RunHead, written: WrittenRows, evaluation: StudentEvaluation): boolean {
  const [skills, domains] = [written.skills(run.id), written.domains(run.id)];
  return (
    (!skills || areAsWritten(run, skills, () => skillTexts(run, evaluation))) &&
    (!domains || areAsWritten(run, domains, () => domainTexts(run, evaluation)))
  );
}

/** Texts by code. */
type Texts = ReadonlyMap<string, () => string>;

const skillTexts = (run: RunHead, evaluation: StudentEvaluation): Texts =>
  new Map(skillContents(run, evaluation, unknown).map((row) => [row.subSkillCode, () => skillText(row)]));

const domainTexts = (run: RunHead, evaluation: StudentEvaluation): Texts =>
  new Map(domainContents(run, evaluation).map((row) => [row.domainCode, () => domainText(row)]));

const unknown: ReadonlySet<string> = new Set();

/** Returns false for two rows of one sub-skill, which only the columns can compare. */
function areAsWritten({ asOf }: RunHead, { codes, firstAt, lastAt, content }: Written, made: () => Texts): boolean {
  if (firstAt !== asOf || lastAt !== asOf || new Set(codes).size < codes.length) return false;
  const texts = made();
  return codes.every((code) => texts.has(code)) && codes.map((code) => texts.get(code)?.()).join(R) === content;
}
