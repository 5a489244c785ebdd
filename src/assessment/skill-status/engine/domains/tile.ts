// Layer DSM with the two escalation paths: the tile value of a decided domain.
import type { RuleBundle } from '#rules/rulesets/engine/index.ts';
import { allHits, firstHit } from '#rules/rulesets/engine/index.ts';
import {
  type BaseTileValue,
  baseTileValues,
  type EscalationPath,
  escalationPaths,
  type SeverePath,
  type SkillStatus,
  type TileValue,
} from '../vocabulary.ts';
import type { DomainFigures } from './figures.ts';
import { dsmFacts } from './typed-facts.ts';

export interface DomainTile {
  readonly dsmRuleId: string;
  readonly base: BaseTileValue;
  /** `base`, or Severe when a path escalates Below. */
  readonly value: TileValue;
  readonly severePath: SeverePath | null;
}

export type TileValueLayer = (status: SkillStatus, figures: DomainFigures) => DomainTile;

export function compileTileValue(bundle: RuleBundle): TileValueLayer {
  const baseOf = firstHit(bundle.table('dsm/dsm'), dsmFacts, (answer) => ({
    ruleId: answer.ruleId,
    base: answer.word('outcome', baseTileValues),
  }));
  const escalations = allHits(bundle.table('esc/esc'), (answer) => answer.word('path', escalationPaths));
  return (status, figures) => {
    const { ruleId: dsmRuleId, base } = baseOf({ domainStatus: status, coverage: figures.coverage });
    const paths = base === 'Below' ? escalations(escalationFacts(status, figures)) : [];
    const severePath = joinPaths(paths);
    return { dsmRuleId, base, value: severePath === null ? base : 'Severe', severePath };
  };
}

const escalationFacts = (domainStatus: SkillStatus, figures: DomainFigures) => ({
  domainStatus,
  gatewaySeverityKnown: figures.gatewaySeverity !== null,
  gatewaySeverity: figures.gatewaySeverity ?? 0,
  validEvidence: figures.validEvidence,
  rawWeightedDeficitRate: figures.rawWeightedDeficitRate ?? 0,
});

/** Joins escalation paths: A and B give AB. */
export function joinPaths(paths: readonly (EscalationPath | SeverePath)[]): SeverePath | null {
  const a = paths.some((path) => path.includes('A'));
  const b = paths.some((path) => path.includes('B'));
  if (a && b) return 'AB';
  if (a) return 'A';
  return b ? 'B' : null;
}
