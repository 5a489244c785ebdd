// Groups responses into the evidence of each sub-skill: coded responses, scored units, whether it was tried.
import type { Catalogue, SubSkill } from '#rules/catalogue/engine/index.ts';
import type { Thresholds } from '../../../measurement/engine/index.ts';
import {
  type EvaluationInput,
  EvidenceError,
  type EvidenceResponse,
  type EvidenceSession,
} from '../../../measurement/engine/index.ts';
import type { ResponseCode } from '../vocabulary.ts';
import type { CodeRule, Coding } from './coding.ts';

export interface Session {
  readonly sessionId: string;
  readonly endedAtMs: number;
  /** Whether the session was given under standard conditions: diagnostic or oral reading. */
  readonly standard: boolean;
  readonly analysable: boolean;
  readonly sourceWeight: number;
}

/** One response of the input with its code. */
export interface CodedResponse {
  readonly response: EvidenceResponse;
  readonly session: Session;
  readonly ruleId: string;
  readonly code: ResponseCode;
  /** Whether the response is scored and thus an evidence unit. */
  readonly scored: boolean;
  /** Source weight × code weight; 0 when not scored. */
  readonly weight: number;
  /** 0 (right) to 1 (wrong). */
  readonly deficit: number;
}

export interface SubSkillEvidence {
  readonly subSkill: SubSkill;
  /** All responses to the sub-skill, scored or not. */
  readonly responses: CodedResponse[];
  readonly units: CodedResponse[];
  /** Whether at least one response was analysable, answered or not. */
  tried: boolean;
}

export interface Gathered {
  /** In input order. */
  readonly coded: readonly CodedResponse[];
  /** By catalogue index; undefined when the input has no response. */
  readonly bySubSkill: readonly (SubSkillEvidence | undefined)[];
}

export interface GatherRules {
  readonly catalogue: Catalogue;
  readonly thresholds: Thresholds;
  readonly coding: Coding;
}

/** Throws EvidenceError when a response names a session or sub-skill that does not exist. */
export function gather(input: EvaluationInput, rules: GatherRules): Gathered {
  const sessions = readSessions(input.sessions, rules.thresholds);
  const bySubSkill = new Array<SubSkillEvidence | undefined>(rules.catalogue.subSkills.length).fill(undefined);
  const coded = input.responses.map((response) => {
    const session = sessions.get(response.sessionId);
    if (!session) throw new EvidenceError(`response to ${response.itemId}: unknown session ${response.sessionId}`);
    const evidence = evidenceOf(response, rules.catalogue, bySubSkill);
    const rule = rules.coding(response, session.analysable);
    return addResponse(evidence, response, session, rule);
  });
  return { coded, bySubSkill };
}

function readSessions(list: readonly EvidenceSession[], { sourceWeight }: Thresholds): Map<string, Session> {
  const sessions = new Map<string, Session>();
  for (const { sessionId, source, endedAt, analysable } of list) {
    const endedAtMs = Date.parse(endedAt);
    if (Number.isNaN(endedAtMs)) throw new EvidenceError(`session ${sessionId}: endedAt is no instant`);
    if (sessions.has(sessionId)) throw new EvidenceError(`session ${sessionId} is listed twice`);
    const standard = source !== 'practice';
    sessions.set(sessionId, { sessionId, endedAtMs, standard, analysable, sourceWeight: sourceWeight[source] });
  }
  return sessions;
}

function evidenceOf(
  { itemId, subSkillCode }: EvidenceResponse,
  catalogue: Catalogue,
  bySubSkill: (SubSkillEvidence | undefined)[],
): SubSkillEvidence {
  const subSkill = catalogue.byCode.get(subSkillCode);
  if (!subSkill) throw new EvidenceError(`response to ${itemId}: unknown sub-skill ${subSkillCode}`);
  let evidence = bySubSkill[subSkill.index];
  if (!evidence) {
    evidence = { subSkill, responses: [], units: [], tried: false };
    bySubSkill[subSkill.index] = evidence;
  }
  return evidence;
}

function addResponse(
  evidence: SubSkillEvidence,
  response: EvidenceResponse,
  session: Session,
  rule: CodeRule,
): CodedResponse {
  const { ruleId, code, scored, deficit } = rule;
  const weight = scored ? session.sourceWeight * rule.weight : 0;
  const coded = { response, session, ruleId, code, scored, weight, deficit };
  evidence.tried ||= response.analysable && session.analysable;
  evidence.responses.push(coded);
  if (scored) evidence.units.push(coded);
  return coded;
}

/** Returns how often each code occurs. */
export function countCodes(responses: readonly CodedResponse[]): Partial<Record<ResponseCode, number>> {
  const counts: Partial<Record<ResponseCode, number>> = {};
  for (const { code } of responses) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
