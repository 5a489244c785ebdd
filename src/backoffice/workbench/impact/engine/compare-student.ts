// Compares one student's results under two sets of rules, and adds the outcomes to the position.
import { type LayerAnswers, type LayerName, layerNames } from '#assessment/skill-status/engine/index.ts';
import { addHits, addStudent, type ImpactPosition, tallyOf } from './position.ts';
import { addAnswers } from './tally.ts';

export interface ComparedStudent {
  readonly organizationId: string;
  readonly studentId: number;
  readonly runId: string;
  readonly schoolId: string | null;
  readonly grade: number;
  readonly before: LayerAnswers;
  readonly after: LayerAnswers;
  /** An outcome that a simulator compares changes. */
  readonly isFlagged: boolean;
  /** The results differ in something that no layer shows. */
  readonly isOther: boolean;
}

/** The layers whose answers are statuses that readers see: of sub-skills, domains and tiles. */
const seenLayers: ReadonlySet<LayerName> = new Set(['SSR', 'DDR', 'TILE']);

/** Returns whether an outcome of the pipeline changes. */
export function compareStudent(position: ImpactPosition, student: ComparedStudent): boolean {
  const { organizationId, studentId, runId, schoolId, grade, before, after, isFlagged, isOther } = student;
  const who = { organizationId, studentId, ref: runId };
  let [isChanged, isSeen] = [false, false];
  for (const layer of layerNames) {
    if (!addAnswers(tallyOf(position, layer), who, before[layer], after[layer])) continue;
    isChanged = true;
    if (seenLayers.has(layer)) isSeen = true;
  }
  countRules(position, 'before', before);
  countRules(position, 'after', after);
  const change = isSeen || isFlagged ? 'changed' : isChanged || isOther ? 'restated' : 'same';
  addStudent(position, { schoolId, grade, change });
  return isChanged;
}

/** The document whose rules the answers of a layer name. Confidence, strength and tiles are derived without rules. */
const documentOfLayer: Readonly<Partial<Record<LayerName, string>>> = {
  ADR: 'adr/adr',
  CIS: 'cis/cis',
  PAC: 'pac/pac',
  SSR: 'ssr/ssr',
  DDR: 'ddr/ddr',
  DDR_LC: 'ddr-lc/ddr-lc',
  DSM: 'dsm/dsm',
};

function countRules(position: ImpactPosition, side: 'before' | 'after', answers: LayerAnswers): void {
  for (const layer of layerNames) {
    const document = documentOfLayer[layer];
    if (!document) continue;
    const times = new Map<string | null, number>();
    for (const { ruleId } of answers[layer]) times.set(ruleId, (times.get(ruleId) ?? 0) + 1);
    for (const [ruleId, count] of times) addHits(position, side, `${document} ${ruleId}`, count);
  }
}
