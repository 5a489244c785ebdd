// Findings about a rule document, with closed codes and closed arguments.
import {
  type ArgsOf,
  type ArgValue,
  type FindingArgs,
  type FindingCode,
  findingTexts,
  type IssueOf,
  textOfFinding,
} from './finding-texts.ts';

export type { FindingCode };
export const findingCodes = Object.keys(findingTexts) as readonly FindingCode[];

export interface Finding {
  readonly level: 'error' | 'warning';
  readonly code: FindingCode;
  /** The affected rules, in table order; empty when the finding concerns the document. */
  readonly ruleIds: readonly string[];
  readonly message: string;
  /** The issue and the values of the message, by name. */
  readonly args: FindingArgs;
}

const findingOf =
  (level: Finding['level']) =>
  <Code extends FindingCode, Issue extends IssueOf<Code>>(
    code: Code,
    issue: Issue,
    args: ArgsOf<Code, Issue>,
    ...ruleIds: string[]
  ): Finding => {
    const values = args as Readonly<Record<string, ArgValue>>;
    const text = findingTexts[code][issue] as string;
    return { level, code, ruleIds, message: textOfFinding(text, values), args: { issue, ...values } };
  };

export const errorFinding = findingOf('error');
export const warningFinding = findingOf('warning');

export const isError = (finding: Finding): boolean => finding.level === 'error';

/** Returns one line of text: `SSR-04: OPERATOR …`. */
export const findingLine = (finding: Finding): string =>
  `${finding.level} ${finding.code}${finding.ruleIds.length ? ` ${finding.ruleIds.join(', ')}` : ''}: ${finding.message}`;

/** An invalid document; `findings` contains every reason, not only the first. */
export class RuleDocumentError extends Error {
  readonly findings: readonly Finding[];

  constructor(subject: string, findings: readonly Finding[]) {
    super(`${subject} is refused: ${findings.map(findingLine).join('; ')}`);
    this.name = 'RuleDocumentError';
    this.findings = findings;
  }
}
