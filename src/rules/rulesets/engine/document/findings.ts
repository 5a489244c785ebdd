// Findings about a rule document, with closed codes.

export const findingCodes = [
  'SCHEMA',
  'DUPLICATE_KEY',
  'PRIORITY',
  'OPERATOR',
  'FACT',
  'GAP',
  'UNREACHABLE',
  'VOCABULARY_FOREIGN',
  'VOCABULARY_UNREACHED',
  'NOT_MONOTONE',
  'PIPELINE_OPEN',
  'CASE_FAILED',
  'MUTATION_SCORE_LOW',
  'ORACLE_MISMATCH',
  'REDUNDANT_CONDITION',
  'REDUNDANT_RULE',
  'OVERLAP',
  'MAGIC_NUMBER',
  'MESSAGE_MISSING',
  'LANGUAGE_UNSAFE',
] as const;
export type FindingCode = (typeof findingCodes)[number];

export interface Finding {
  readonly level: 'error' | 'warning';
  readonly code: FindingCode;
  /** The affected rules, in table order; empty when the finding concerns the document. */
  readonly ruleIds: readonly string[];
  readonly message: string;
}

export const errorFinding = (code: FindingCode, message: string, ...ruleIds: string[]): Finding => ({
  level: 'error',
  code,
  ruleIds,
  message,
});

export const warningFinding = (code: FindingCode, message: string, ...ruleIds: string[]): Finding => ({
  level: 'warning',
  code,
  ruleIds,
  message,
});

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
