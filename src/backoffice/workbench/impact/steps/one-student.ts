// The answers of all layers for one child's newest run, under the rules in force and under a change.

import { simulation } from '#assessment/skill-status/index.ts';
import { bulkReadingIn } from '#core/platform/db.ts';
import type { ChunkTask } from '../../chunks.ts';
import type { OrganizationJob } from '../input.ts';
import { rulePairOf } from '../rule-pair.ts';
import { answersOf, evaluateBoth } from './chunk.ts';
import { inputsOf } from './inputs.ts';
import { reviewsOf } from './reviews.ts';

export interface OneStudent extends Pick<OrganizationJob, 'organizationId' | 'input'> {
  /** Equal for equal rules and texts. */
  readonly rulesId: string;
  readonly studentId: number;
  /** IANA name of the zone whose school year counts. */
  readonly timeZone: string;
}

type Layers = readonly { readonly layer: string; readonly answers: readonly simulation.LayerAnswer[] }[];

export interface StudentAnswers {
  readonly before: Layers;
  readonly after: Layers;
}

/** Returns null for a child without a run in the school year. */
export const oneStudentChunk: ChunkTask<OneStudent, StudentAnswers | null> = {
  name: 'one student',
  async run(services, { rulesId, organizationId, input, studentId, timeZone }) {
    const rulePair = await rulePairOf(services, { id: rulesId, input });
    const { name: schoolYear } = simulation.schoolYears(input.asOf, rulePair.before.pipeline)(timeZone);
    const runs = await bulkReadingIn(services.db, { organizationId })((trx) =>
      simulation.newestRuns(trx, organizationId, [{ studentId, schoolYear }], input.asOf),
    );
    const [run] = runs;
    if (!run) return null;
    const made = (await inputsOf(services, { organizationId, input }, rulePair, runs))(run);
    const review = (await reviewsOf(services, { organizationId, input }, rulePair, runs))(run);
    const answers = answersOf(made, evaluateBoth(rulePair, run, made, review, input.asOf));
    return { before: layersOf(answers.before), after: layersOf(answers.after) };
  },
};

const layersOf = (answers: simulation.LayerAnswers): Layers =>
  simulation.layerNames.map((layer) => ({ layer, answers: answers[layer] }));
