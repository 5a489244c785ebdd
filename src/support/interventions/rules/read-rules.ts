// Validates for rule authors all rules of profiles, bundles and groups in a bundle: what one document refers to in another must
// exist.
import { layersOf, type RuleBundle, type Table } from '#rules/rulesets/index.ts';
import { compileRecipients } from '../engine/assignments/recipients.ts';
import { compileSteps } from '../engine/assignments/steps.ts';
import { compileTrack } from '../engine/assignments/track.ts';
import type { BundleCatalogue } from '../engine/bundles/catalogue.ts';
import { compileRecommendation } from '../engine/bundles/recommend.ts';
import { compileClusters } from '../engine/clustering/generation.ts';
import { compileProfiles } from '../engine/profiles/resolve.ts';
import { compileReasonCodes } from '../engine/reason-codes.ts';
import { profileCodes } from '../engine/vocabulary.ts';

/** Throws BundleError or RangeError with the part that cannot be read. */
export function readInterventionRules(bundle: RuleBundle): void {
  compileProfiles(bundle);
  const { catalogue } = compileRecommendation(bundle);
  compileClusters(bundle);
  compileSteps(bundle);
  compileTrack(bundle);
  compileRecipients(bundle);
  compileReasonCodes(bundle);
  refuseMissingTargets(bundle.table('bundle/recommendation'), catalogue);
  refuseUnknownProfileRules(bundle);
  refuseMissingNarratives(bundle);
}

/** Outcomes that name no bundle directly. */
const noBundles: ReadonlySet<string> = new Set(['covering', 'as_below', 'none']);

/** Every target must be in the catalogue, and active for each grade that its rule admits. */
function refuseMissingTargets(table: Table, { byId }: BundleCatalogue): void {
  const grades = gradesOfRules(table);
  for (const [row, { name, event }] of table.document.rules.entries()) {
    const target = event.params.outcome;
    if (noBundles.has(target)) continue;
    const bundle = byId.get(target);
    if (!bundle) throw new RangeError(`bundle/recommendation ${name}: the catalogue has no ${target}`);
    const missing = (grades[row] ?? []).find((grade) => bundle.state !== 'active' || !bundle.grades.includes(grade));
    if (missing !== undefined) {
      throw new RangeError(`bundle/recommendation ${name}: ${target} is not active for grade ${missing}`);
    }
  }
}

const known = new WeakMap<Table['document'], readonly (readonly number[])[]>();

/** The grades at which each rule decides. */
function gradesOfRules({ document }: Table): readonly (readonly number[])[] {
  const made = known.get(document) ?? reachedGrades(document);
  known.set(document, made);
  return made;
}

function reachedGrades(document: Table['document']): number[][] {
  const { partition, deciding } = layersOf(document);
  const at = partition.findIndex(({ name }) => name === 'grade');
  const cells = partition[at]?.cells ?? [];
  const isIn = (grade: number, cell: (typeof cells)[number]) =>
    cell.kind === 'point' ? cell.low === grade : Number(cell.low) < grade && grade < Number(cell.high);
  return deciding.map((boxes) =>
    [1, 2, 3, 4].filter((grade) => {
      const cellIndex = cells.findIndex((cell) => isIn(grade, cell));
      return boxes.some((box) => ((box[at] ?? 0n) & (1n << BigInt(cellIndex))) !== 0n);
    }),
  );
}

/** BRR refers to rules of PRF. */
function refuseUnknownProfileRules(bundle: RuleBundle): void {
  const fact = bundle.table('bundle/recommendation').document.facts.profileRuleId;
  const values = fact?.type === 'enum' ? fact.values : [];
  const unknown = bundle.table('profile/resolution').document.rules.find(({ name }) => !values.includes(name));
  if (unknown) throw new RangeError(`bundle/recommendation: profileRuleId does not take ${unknown.name}`);
}

interface NarrativesDocument {
  readonly narratives: readonly { readonly profileCode: string; readonly parent: readonly string[] }[];
  readonly suggestions: readonly { readonly suggestionCode: string }[];
}

/** Every educational profile must have its first text, and every suggestion that a text names must exist. */
function refuseMissingNarratives(bundle: RuleBundle): void {
  const { narratives, suggestions } = bundle.values<NarrativesDocument>('profile/narratives');
  const codes = new Set(suggestions.map(({ suggestionCode }) => suggestionCode));
  const silent = profileCodes.find(
    (code) => code !== 'DATA_INCOMPLETE' && !narratives.some(({ profileCode }) => profileCode === code),
  );
  if (silent) throw new RangeError(`profile/narratives: no text for ${silent}`);
  const foreign = narratives.find(({ profileCode }) => !profileCodes.some((code) => code === profileCode));
  if (foreign) throw new RangeError(`profile/narratives: ${foreign.profileCode} is no profile`);
  const missing = narratives.flatMap(({ parent }) => parent).find((code) => !codes.has(code));
  if (missing) throw new RangeError(`profile/narratives: no suggestion ${missing}`);
}
