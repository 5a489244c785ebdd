// The tree of an explained result: tiles, their domains, their sub-skills, and the child's answers.

import type { TileNode as CatalogueTile } from '#rules/catalogue/index.ts';
import type { DomainEvaluation } from '../engine/domains/status.ts';
import type { TileEvaluation } from '../engine/domains/tiles.ts';
import type { CodedResponse } from '../engine/evidence/gather.ts';
import type { SubSkillEvaluation } from '../engine/skills/status.ts';
import type { TracedCall } from '../engine/traced.ts';
import { domainCalls, type RunTrace } from './run-trace.ts';
import type { ExplainedDomainNode, ExplainedTileNode, ResponseNode, SkillNode } from './schemas.ts';
import { answerSentence, domainSentence, skillSentence, tileSentence } from './sentences.ts';

export const skillStamp = ({ skillIds }: RunTrace, code: string) => stampOf('skill', skillIds.get(code));
const domainStamp = ({ domainIds }: RunTrace, code: string) => stampOf('domain', domainIds.get(code));
const stampOf = (kind: string, id: number | undefined) => (id === undefined ? null : `${kind}:${id}`);

/** Returns every response to the sub-skill in the run's input, scored or not, in input order. */
export function responseNodes(trace: RunTrace, subSkillCode: string): ResponseNode[] {
  const sessions = new Map(trace.run.input.sessions.map((session) => [session.sessionId, session]));
  return trace.evaluation.coded.flatMap((coded, index) => {
    const session = sessions.get(coded.response.sessionId);
    if (coded.response.subSkillCode !== subSkillCode || !session) return [];
    const { source, endedAt } = session;
    return [
      {
        ...responseOf(coded),
        ...{ source, endedAt },
        item: trace.items.get(refOf(coded.response)) ?? null,
        sentence: answerSentence(trace, coded, session),
        decisions: keysOf(trace, trace.ofResponse[index]),
      },
    ];
  });
}

const keysOf = ({ questions }: RunTrace, calls: readonly TracedCall[] = []) =>
  calls.map((call) => questions.keyOf(call));

const refOf = ({ sessionId, itemId }: CodedResponse['response']) => `${sessionId}/${itemId}`;

function responseOf({ response, session, ruleId, code, scored, weight, deficit }: CodedResponse) {
  const { sessionId, itemId, subSkillCode } = response;
  return {
    kind: 'response' as const,
    responseRef: refOf(response),
    sessionId,
    itemId,
    subSkillCode,
    sessionAnalysable: session.analysable,
    stored: storedFacts(response),
    ruleId,
    code,
    scored,
    weight,
    deficit,
  };
}

const storedFacts = (response: CodedResponse['response']): ResponseNode['stored'] => ({
  analysable: response.analysable,
  answered: response.answered,
  attempt: response.attempt,
  correct: response.correct,
  support: response.support,
  speed: response.speed,
  errorClass: response.errorClass,
  microPattern: response.microPattern,
  behaviourMark: response.behaviourMark,
});

function skillNode(trace: RunTrace, one: SubSkillEvaluation): SkillNode {
  const { code } = one.subSkill;
  const evaluated = one.outcome !== 'not_assessed';
  return {
    kind: 'skill',
    stampId: evaluated ? skillStamp(trace, code) : null,
    subSkillCode: code,
    ruleId: evaluated ? one.ssrRuleId : null,
    outcome: one.outcome,
    status: one.outcome === 'decided' ? one.status : null,
    sentence: skillSentence(trace, one),
    decisions: keysOf(trace, trace.ofSubSkill.get(code)),
    from: responseNodes(trace, code),
  };
}

/** Returns the sub-skills of the domain in scope, in catalogue order. */
export const skillNodes = (trace: RunTrace, domainCode: string): SkillNode[] =>
  trace.evaluation.subSkills
    .filter(({ subSkill }) => subSkill.domain === domainCode)
    .map((one) => skillNode(trace, one));

function domainNode(trace: RunTrace, one: DomainEvaluation): ExplainedDomainNode {
  const { code } = one.domain;
  const decided = one.outcome === 'decided' ? one : null;
  return {
    kind: 'domain',
    stampId: domainStamp(trace, code),
    domainCode: code,
    ruleId: one.ruleId,
    outcome: one.outcome,
    status: decided?.status ?? null,
    tileValue: decided?.tile.value ?? null,
    severePath: decided?.tile.severePath ?? null,
    sentence: domainSentence(trace, one),
    decisions: keysOf(trace, domainCalls(trace, code)),
    from: skillNodes(trace, code),
  };
}

export const domainNodes = (
  trace: RunTrace,
  { domainIndexes }: Pick<CatalogueTile, 'domainIndexes'>,
): ExplainedDomainNode[] =>
  domainIndexes.flatMap((index) => {
    const domain = trace.evaluation.domains[index];
    return domain ? [domainNode(trace, domain)] : [];
  });

function tileNode(trace: RunTrace, { tile, status, applicable, severePath }: TileEvaluation): ExplainedTileNode {
  const stampId = trace.tileRows.has(tile.code) ? tileStamp(trace, tile.code) : null;
  const from = domainNodes(trace, tile);
  const sentence = tileSentence(trace, { tile, status, applicable });
  return { kind: 'tile', stampId, tileCode: tile.code, status, applicable, severePath, sentence, from };
}

export const tileNodes = (trace: RunTrace): ExplainedTileNode[] =>
  trace.evaluation.tiles.map((one) => tileNode(trace, one));

export const tileStamp = ({ run }: RunTrace, tileCode: string) => `tile:${run.id}.${tileCode}`;
