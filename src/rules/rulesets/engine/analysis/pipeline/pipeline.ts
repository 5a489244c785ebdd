// Pipeline closure over a set of tables: every value that a layer can output is accepted by the next one.
import { type Box, fullBox, intersection } from '../../boxes.ts';
import {
  type DocumentName,
  documentId,
  documentName,
  type FactSpec,
  type Rule,
  type TableDocument,
} from '../../document/document.ts';
import { valueProblem } from '../../document/facts.ts';
import { errorFinding, type Finding } from '../../document/findings.ts';
import { type Layers, layersOf } from '../layers.ts';
import type { ReaderContract, TableContract, ValueContract } from './value-contracts.ts';

/**
 * Returns the PIPELINE_OPEN findings of one version of each table. Contracts with a missing document are left out, and
 * so are rules that decide nothing.
 */
export function pipelineFindings(
  documents: readonly TableDocument[],
  contracts: readonly ValueContract[],
): readonly Finding[] {
  const layers = new Map(documents.map((document) => [documentName(document), layersOf(document)]));
  const single = contracts.flatMap((contract) => contractFindings(layers, contract));
  return single.length > 0 ? single : combinationFindings(layers, contracts);
}

type LayersByName = ReadonlyMap<DocumentName, Layers>;

function contractFindings(layers: LayersByName, contract: ValueContract): readonly Finding[] {
  const from = layers.get(contract.from);
  if (!from) return [];
  if ('reader' in contract) return ruleOutputs(from, contract).flatMap((output) => readerFindings(output, contract));
  const to = layers.get(contract.to);
  if (!to) return [];
  const spec = to.document.facts[contract.fact];
  if (!spec)
    return [errorFinding('PIPELINE_OPEN', 'no_fact', { document: documentId(to.document), fact: contract.fact })];
  const added = (contract.also ?? []).filter((word) => valueProblem(spec, word));
  return [
    ...ruleOutputs(from, contract).flatMap((output) => factFindings(output, contract, spec)),
    ...added.map((word) => {
      const args = { fact: contract.fact, document: contract.to, word: String(word) };
      return errorFinding('PIPELINE_OPEN', 'word_not_taken', args);
    }),
  ];
}

interface RuleOutput {
  readonly rule: Rule;
  readonly value: unknown;
}

/** Returns the values that the effective rules output for a contract. */
function ruleOutputs(
  { document, deciding }: Layers,
  { param, optional, except = [] }: ValueContract,
): readonly RuleOutput[] {
  return document.rules
    .filter((_, row) => deciding[row]?.length !== 0)
    .flatMap((rule) => [rule.event.params[param]].flat().map((value) => ({ rule, value })))
    .filter(({ value }) => !(optional && value === undefined) && !except.some((word) => word === value));
}

function readerFindings(
  { rule, value }: RuleOutput,
  { from, param, reader, accepts }: ReaderContract,
): readonly Finding[] {
  const isKnown =
    'min' in accepts
      ? typeof value === 'number' && value >= accepts.min && value <= accepts.max
      : accepts.some((word) => word === value);
  if (isKnown) return [];
  const args = { document: from, param, value: outputOf(value), reader };
  return [errorFinding('PIPELINE_OPEN', 'unreadable_output', args, rule.name)];
}

function factFindings(
  { rule, value }: RuleOutput,
  { from, param, to, fact }: TableContract,
  spec: FactSpec,
): readonly Finding[] {
  if (!valueProblem(spec, value)) return [];
  const args = { document: from, param, value: outputOf(value), fact, reader: to };
  return [errorFinding('PIPELINE_OPEN', 'output_not_taken', args, rule.name)];
}

const outputOf = (value: unknown): string | number | boolean =>
  typeof value === 'number' || typeof value === 'boolean' ? value : String(value);

/**
 * Values that are valid one by one may be impossible in combination, such as a decision with another decision's reason.
 */
function combinationFindings(layers: LayersByName, contracts: readonly ValueContract[]): readonly Finding[] {
  const tableContracts = contracts.filter((contract) => 'to' in contract);
  const pairs = new Set(tableContracts.map(({ from, to }) => `${from} ${to}`));
  return [...pairs].flatMap((pair) => {
    const bundle = tableContracts.filter(({ from, to }) => `${from} ${to}` === pair);
    const [first] = bundle;
    const [from, to] = [first && layers.get(first.from), first && layers.get(first.to)];
    return from && to ? impossibleTogether(from, to, bundle) : [];
  });
}

function impossibleTogether(from: Layers, to: Layers, bundle: readonly TableContract[]): readonly Finding[] {
  return from.document.rules.flatMap((rule, row) => {
    if (from.deciding[row]?.length === 0) return [];
    const values = bundle.map((contract) => ({
      fact: contract.fact,
      value: rule.event.params[contract.param],
      contract,
    }));
    if (values.some(({ value, contract }) => contract.except?.some((word) => word === value))) return [];
    const box = boxWith(to, values);
    if (to.possible.some((other) => intersection(other, box))) return [];
    const combination = values.map(({ fact, value }) => `${fact} ${value}`).join(' with ');
    const args = { document: documentId(to.document), combination };
    return [errorFinding('PIPELINE_OPEN', 'impossible_together', args, rule.name)];
  });
}

/** Returns the box with the given facts fixed and all others open. */
function boxWith({ partition }: Layers, values: readonly { readonly fact: string; readonly value: unknown }[]): Box {
  return fullBox(partition).map((all, at) => {
    const fact = partition[at];
    const known = values.find((one) => one.fact === fact?.name);
    const cell = known ? (fact?.cells.findIndex(({ sample }) => sample === known.value) ?? -1) : -1;
    return cell < 0 ? all : 1n << BigInt(cell);
  });
}
