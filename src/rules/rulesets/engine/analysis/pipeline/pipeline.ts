// Pipeline closure across a set of tables: what a layer can say is what the next one accepts.
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
import type { ReaderWire, TableWire, ValueContract } from './value-contracts.ts';

/**
 * PIPELINE_OPEN findings of one version of each table. Wires with an end that is not among the documents are left out;
 * rules that decide nothing say nothing.
 */
export function pipelineFindings(
  documents: readonly TableDocument[],
  wires: readonly ValueContract[],
): readonly Finding[] {
  const layers = new Map(documents.map((document) => [documentName(document), layersOf(document)]));
  const single = wires.flatMap((wire) => wireFindings(layers, wire));
  return single.length > 0 ? single : combinationFindings(layers, wires);
}

type LayersByName = ReadonlyMap<DocumentName, Layers>;

function wireFindings(layers: LayersByName, wire: ValueContract): readonly Finding[] {
  const from = layers.get(wire.from);
  if (!from) return [];
  if ('reader' in wire) return ruleOutputs(from, wire).flatMap((output) => readerFindings(output, wire));
  const to = layers.get(wire.to);
  if (!to) return [];
  const spec = to.document.facts[wire.fact];
  if (!spec) return [errorFinding('PIPELINE_OPEN', `${documentId(to.document)} has no fact ${wire.fact}`)];
  const added = (wire.also ?? []).filter((word) => valueProblem(spec, word));
  return [
    ...ruleOutputs(from, wire).flatMap((output) => factFindings(output, wire, spec)),
    ...added.map((word) => errorFinding('PIPELINE_OPEN', `${wire.fact} of ${wire.to} does not take ${word}`)),
  ];
}

interface RuleOutput {
  readonly rule: Rule;
  readonly value: unknown;
}

/** What the rules that decide something put on the wire. */
function ruleOutputs(
  { document, deciding }: Layers,
  { param, optional, except = [] }: ValueContract,
): readonly RuleOutput[] {
  return document.rules
    .filter((_, row) => deciding[row]?.length !== 0)
    .flatMap((rule) => [rule.event.params[param]].flat().map((value) => ({ rule, value })))
    .filter(({ value }) => !(optional && value === undefined) && !except.some((word) => word === value));
}

function readerFindings({ rule, value }: RuleOutput, { from, param, reader, accepts }: ReaderWire): readonly Finding[] {
  const isKnown =
    'min' in accepts
      ? typeof value === 'number' && value >= accepts.min && value <= accepts.max
      : accepts.some((word) => word === value);
  if (isKnown) return [];
  return [errorFinding('PIPELINE_OPEN', `${from} says ${param} ${value}, which ${reader} cannot read`, rule.name)];
}

function factFindings(
  { rule, value }: RuleOutput,
  { from, param, to, fact }: TableWire,
  spec: FactSpec,
): readonly Finding[] {
  if (!valueProblem(spec, value)) return [];
  return [
    errorFinding('PIPELINE_OPEN', `${from} says ${param} ${value}, which ${fact} of ${to} does not take`, rule.name),
  ];
}

/** Words that are fine one by one may be impossible together: a decision with another decision's reason. */
function combinationFindings(layers: LayersByName, wires: readonly ValueContract[]): readonly Finding[] {
  const tableContracts = wires.filter((wire) => 'to' in wire);
  const pairs = new Set(tableContracts.map(({ from, to }) => `${from} ${to}`));
  return [...pairs].flatMap((pair) => {
    const bundle = tableContracts.filter(({ from, to }) => `${from} ${to}` === pair);
    const [first] = bundle;
    const [from, to] = [first && layers.get(first.from), first && layers.get(first.to)];
    return from && to ? impossibleTogether(from, to, bundle) : [];
  });
}

function impossibleTogether(from: Layers, to: Layers, bundle: readonly TableWire[]): readonly Finding[] {
  return from.document.rules.flatMap((rule, row) => {
    if (from.deciding[row]?.length === 0) return [];
    const said = bundle.map((wire) => ({ fact: wire.fact, value: rule.event.params[wire.param], wire }));
    if (said.some(({ value, wire }) => wire.except?.some((word) => word === value))) return [];
    const box = boxWith(to, said);
    if (to.possible.some((other) => intersection(other, box))) return [];
    const words = said.map(({ fact, value }) => `${fact} ${value}`).join(' with ');
    return [errorFinding('PIPELINE_OPEN', `${documentId(to.document)} holds ${words} to be impossible`, rule.name)];
  });
}

/** The facts that are said, all others open. */
function boxWith({ partition }: Layers, said: readonly { readonly fact: string; readonly value: unknown }[]): Box {
  return fullBox(partition).map((all, at) => {
    const fact = partition[at];
    const known = said.find((one) => one.fact === fact?.name);
    const cell = known ? (fact?.cells.findIndex(({ sample }) => sample === known.value) ?? -1) : -1;
    return cell < 0 ? all : 1n << BigInt(cell);
  });
}
