// Whether the runs in memory can tell what proposed rules would change, and if not, why.
import { changesStatuses, simulation } from '#assessment/skill-status/index.ts';
import {
  BundleError,
  documentName,
  type FindingCode,
  isError,
  pinBundle,
  RuleDocumentError,
} from '#rules/rulesets/index.ts';
import type { SimulationInput } from '../analysis-worker.ts';
import { type RulePair, rulePairFrom, type SimulationParts } from '../impact/rule-pair.ts';
import type { Obstacle } from './obstacles.ts';

/** Runs in the analysis worker, since every author may write a text that takes all time or memory to read. */
export function obstacleTo({ texts, documents }: SimulationInput, parts: SimulationParts): Obstacle {
  try {
    const pair = rulePairFrom(
      pinBundle(documents),
      texts.map(({ text }) => text),
      parts,
    );
    const wrong = pair.documents.findIndex((one, at) => documentName(one) !== texts[at]?.name);
    if (wrong >= 0) return { state: 'not_evaluable', issue: 'SCHEMA' };
    return obstacleOf(pair, parts);
  } catch (error) {
    if (error instanceof RuleDocumentError) return { state: 'not_evaluable', issue: firstCode(error) };
    if (!simulation.isUnfit(error)) throw error;
    return { state: 'not_evaluable', issue: error instanceof BundleError ? 'CONSTANT_SPLIT' : 'PIPELINE_OPEN' };
  }
}

const firstCode = ({ findings }: RuleDocumentError): FindingCode => findings.find(isError)?.code ?? 'SCHEMA';

function obstacleOf(pair: RulePair, { simulators }: SimulationParts): Obstacle {
  const names = pair.documents.map(documentName);
  const isSimulated = (name: string) => changesStatuses(name) || simulators.some((one) => one.simulates(name));
  if (names.length > 0 && !names.some(isSimulated)) return { state: 'not_evaluable', issue: 'nothing_to_simulate' };
  if (!pair.alike) return { state: 'job_needed', issue: 'evidence' };
  const isOutside = pair.asksReviews || pair.results.length > 0 || pair.records.length > 0;
  return isOutside ? { state: 'job_needed', issue: 'outside' } : null;
}
