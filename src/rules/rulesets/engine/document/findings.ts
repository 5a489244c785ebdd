// What is wrong with a rule document, in closed codes that people and screens can act on.

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
  /** The rules concerned, in table order; empty when the finding is about the document. */
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

/** One line a person can act on: `SSR-04: OPERATOR …`. */
export const findingLine = (finding: Finding): string =>
  `${finding.level} ${finding.code}${finding.ruleIds.length ? ` ${finding.ruleIds.join(', ')}` : ''}: ${finding.message}`;

/** A document that may not be used; `findings` holds every reason, not only the first. */
export class RuleDocumentError extends Error {
  readonly findings: readonly Finding[];

  constructor(subject: string, findings: readonly Finding[]) {
    super(`${subject} is refused: ${findings.map(findingLine).join('; ')}`);
    this.name = 'RuleDocumentError';
    this.findings = findings;
  }
}
