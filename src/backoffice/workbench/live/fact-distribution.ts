// How often a table in force is asked about each value of a fact, with the constants that the fact is compared with.
import type { Services } from '#core/module/services.ts';
import type { Trx } from '#core/platform/db.ts';
import { invalid, notFound } from '#core/platform/errors.ts';
import { compare } from '#core/platform/pure/lists/compare.ts';
import {
  type DocumentName,
  documentName,
  type FactValue,
  isTable,
  leavesOf,
  type RuleBundle,
  type TableDocument,
} from '#rules/rulesets/index.ts';
import type { ImpactScope } from '../impact/input.ts';
import { binEnds, binOf, mostBins } from './engine/bins.ts';
import { liveStateOf } from './present.ts';
import type { DistributionCounts, DistributionQuestion, ValueCount } from './question.ts';
import type { LiveImpactState } from './schemas.ts';
import { recordedTables, scopeInForce } from './scope.ts';

/** Milliseconds that one answer may take. */
const maxMs = 1_000;

interface ScopeQuery {
  readonly platform?: 'true';
  readonly organizationId?: string;
  readonly schoolId?: string;
  readonly classId?: string;
}

/** Throws VALIDATION_ERROR unless exactly one of the four is given. */
export function scopeOfQuery({ platform, organizationId, schoolId, classId }: ScopeQuery): ImpactScope {
  const given = [
    ...(platform === undefined ? [] : [{ platform: true } as const]),
    ...(organizationId === undefined ? [] : [{ organizationId }]),
    ...(schoolId === undefined ? [] : [{ schoolId }]),
    ...(classId === undefined ? [] : [{ classId: Number(classId) }]),
  ];
  const [scope] = given;
  if (!scope || given.length > 1) {
    throw invalid('platform', 'exactly one of platform, organizationId, schoolId and classId is needed');
  }
  return scope;
}

interface FactPlace {
  readonly family: string;
  readonly key: string;
  readonly fact: string;
}

/**
 * Reads what the question is about; returns the answer, to be worked out when the transaction has ended. Throws NOT_FOUND for a fact
 * that no table in force has, and for an unknown scope; the answer throws ENGINE_UNAVAILABLE.
 */
export async function factDistributionOf(
  services: Pick<Services, 'rules' | 'liveThreads'>,
  trx: Trx,
  { family, key, fact }: FactPlace,
  scope: ImpactScope,
  now: Date,
) {
  const known = await scopeInForce(services, trx, scope, now);
  const table: DocumentName = `${family}/${key}`;
  const document = tableOf(known.rules, table);
  const spec = document && Object.hasOwn(document.facts, fact) ? document.facts[fact] : undefined;
  if (!document || !spec) throw notFound();
  const cuts = cutsOf(document, fact);
  if (known.isOnFallback || !recordedTables.includes(table)) {
    const unknown: Bins = { state: 'job_needed', bins: [] };
    return async () => ({ ...unknown, cuts });
  }
  const question = { ...known.scope, table, fact, maxMs };
  const isWhole = spec.type === 'integer';
  return async () => ({ ...(await binsOf(services, question, isWhole)), cuts });
}

const tableOf = ({ documents }: RuleBundle, name: DocumentName): TableDocument | undefined =>
  documents.filter(isTable).find((one) => documentName(one) === name);

/** The constants that the fact is compared with, each once, by id. */
function cutsOf({ rules, constants = {} }: TableDocument, fact: string) {
  const leaves = rules.flatMap(({ conditions }) => leavesOf(conditions));
  const ids = new Set(leaves.flatMap((leaf) => (leaf.fact === fact && leaf.valueRef ? [leaf.valueRef] : [])));
  return [...ids].sort().flatMap((constantId) => {
    const value = constants[constantId]?.value;
    return value === undefined ? [] : [{ constantId, value }];
  });
}

interface Bins {
  readonly state: LiveImpactState;
  readonly bins: { from: FactValue; to: FactValue; questions: number; students: number }[];
}

/** Values have a bin of their own as long as they are few; else bins are of equal width. */
async function binsOf(
  { liveThreads }: Pick<Services, 'liveThreads'>,
  question: Omit<DistributionQuestion, 'cuts'>,
  isWhole: boolean,
): Promise<Bins> {
  const single = await liveThreads.distribution({ ...question, cuts: null });
  const values = totalsOf(single);
  if (values.length <= mostBins) {
    const bins = values.map(({ value, ...counts }) => ({ from: value, to: value, ...counts }));
    return { state: liveStateOf(single).state, bins };
  }
  const numbers = values.map(({ value }) => Number(value));
  const ends = binEnds(numbers.at(0) ?? 0, numbers.at(-1) ?? 0, isWhole);
  const cuts = ends.slice(0, -1);
  const wide = await liveThreads.distribution({ ...question, cuts });
  const bins = totalsOf(wide).map(({ value, ...counts }) => {
    const from = Number(value);
    return { from, to: ends[binOf(cuts, from) + 1] ?? from, ...counts };
  });
  return { state: liveStateOf(wide).state, bins };
}

/** Returns the sums by value, ascending. */
function totalsOf(parts: readonly (DistributionCounts | null)[]): ValueCount[] {
  const totals = new Map<FactValue, ValueCount>();
  for (const { value, questions, students } of parts.flatMap((part) => part?.counts ?? [])) {
    const known = totals.get(value);
    totals.set(value, {
      value,
      questions: questions + (known?.questions ?? 0),
      students: students + (known?.students ?? 0),
    });
  }
  return [...totals.values()].sort((one, other) => byValue(one.value, other.value));
}

const byValue = (one: FactValue, other: FactValue): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other));
