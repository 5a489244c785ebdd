// Rows that runs wrote as one text each, and the same text made from an evaluation. Almost all rows are as they were written,
// and one text is loaded and compared in a fraction of the time that thirty columns take. It tells that nothing differs; what
// differs is told by the columns.
import type { Trx } from '../../platform/db.ts';
import { rowsOf } from '../../platform/sql.ts';
import type { StudentEvaluation } from '../engine/evaluate.ts';
import { type DomainContent, domainContents, type SkillContent, skillContents } from '../results/rows.ts';
import type { RunRow } from '../results/tables.ts';
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

/** What of a row is in its text, in order; true: may be null. */
type Columns<Content> = Partial<Record<keyof Content, boolean>>;

/** Whether calibration was provisional then, no evaluation tells. */
const skillColumns: Columns<SkillContent> = {
  studentId: false,
  schoolYear: false,
  cisRuleId: false,
  pacRuleId: false,
  ssrRuleId: false,
  pacDecision: false,
  pacReason: false,
  outcome: false,
  status: true,
  confidence: true,
  decisionStrength: true,
  modifiers: false,
  nextDataAction: true,
  itemsNeeded: true,
  facts: false,
  leadingMicroPattern: true,
  codeCounts: false,
  newestUnitRef: true,
  ruleVersion: false,
  bundleId: false,
};

const domainColumns: Columns<DomainContent> = {
  studentId: false,
  schoolYear: false,
  ddrRuleId: false,
  dsmRuleId: true,
  outcome: false,
  status: true,
  reason: true,
  nextDataAction: true,
  inScope: false,
  decided: false,
  coverage: false,
  coverageOk: false,
  rawWeightedDeficitRate: true,
  gatewaySeverity: true,
  validEvidence: false,
  tileValue: true,
  severePath: true,
  modifiers: false,
  compRuleId: true,
  compPattern: true,
  compRoutingHint: true,
  compDecodingState: true,
  compLanguageState: true,
  compNextDataAction: true,
  ruleVersion: false,
  bundleId: false,
};

type Names = readonly (readonly [name: string, isNullable: boolean])[];
const skillNames: Names = Object.entries(skillColumns);
const domainNames: Names = Object.entries(domainColumns);

/** No word, number or JSON text that an evaluation makes holds it: so one text is of one row. */
const separator = '\u001f';

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A value is told from none by its first letter. */
const contentOf = (names: Names): string => {
  const members = names.map(([name, isNullable]) => {
    const column = `s.${snakeCase(name)}`;
    return isNullable ? `coalesce('=' || ${column}, '-')` : column;
  });
  return `concat_ws(chr(31), ${members.join(', ')})`;
};

/** All runs belong to one organization. */
export async function writtenRows(trx: Trx, runs: readonly RunRow[]): Promise<WrittenRows> {
  const bindings = {
    organizationId: runs[0]?.organizationId ?? '',
    runIds: runs.map(({ id }) => id),
    studentIds: [...new Set(runs.map(({ studentId }) => studentId))],
  };
  const ofRuns = async (table: string, code: string, names: Names) =>
    grouped(
      await rowsOf<WrittenRow>(
        trx,
        `select s.run_id, s.${code} as code, s.decided_at, ${contentOf(names)} as content from ${table} s
         where s.organization_id = :organizationId and s.student_id = any(:studentIds::bigint[])
           and s.run_id = any(:runIds::text[])`,
        bindings,
      ),
    );
  return {
    skills: await ofRuns('sse_skill_snapshot', 'sub_skill_code', skillNames),
    domains: await ofRuns('sse_domain_snapshot', 'domain_code', domainNames),
  };
}

/** Whether each row that the run wrote is what its evaluation says. A run appends only rows that are new. */
export function isAsWritten(run: RunRow, { skills, domains }: WrittenRows, evaluation: StudentEvaluation): boolean {
  return (
    areAsWritten(run, skills(run.id), () => skillContents(run, evaluation, unknown), subSkillOf, skillNames) &&
    areAsWritten(run, domains(run.id), () => domainContents(run, evaluation), domainOf, domainNames)
  );
}

const unknown: ReadonlySet<string> = new Set();
const subSkillOf = ({ subSkillCode }: SkillContent): string => subSkillCode;
const domainOf = ({ domainCode }: DomainContent): string => domainCode;

function areAsWritten<Content extends object>(
  { asOf }: RunRow,
  written: readonly WrittenRow[],
  contents: () => readonly Content[],
  codeOf: (content: Content) => string,
  names: Names,
): boolean {
  if (written.length === 0) return true;
  const again = new Map(contents().map((content) => [codeOf(content), content]));
  return written.every(({ code, decidedAt, content }) => {
    const made = again.get(code);
    // Of two rows of one sub-skill the columns tell.
    again.delete(code);
    return made !== undefined && decidedAt === asOf && content === textOf(made as Values, names);
  });
}

type Values = Readonly<Record<string, unknown>>;

function textOf(content: Values, names: Names): string {
  let text = '';
  for (let at = 0; at < names.length; at++) {
    const [name, isNullable] = names[at] as readonly [string, boolean];
    const value = content[name];
    if (at > 0) text += separator;
    if (!isNullable) text += plain(value);
    else text += value === null ? '-' : `=${plain(value)}`;
  }
  return text;
}

/** As PostgreSQL writes it. A list holds words without quotes. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
