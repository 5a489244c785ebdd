// The benchmark that a student's reading is held against.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import type { StudentInScope } from '#identity/people/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { type BenchmarkCell, benchmarksOf, type ResolvedProfile, resolveBenchmark } from './engine/benchmark.ts';

/** Where a student goes to school: what a benchmark may differ by. */
export type StudentPlace = Pick<StudentInScope, 'organizationId' | 'schoolId'>;

/** Throws ENGINE_UNAVAILABLE when the rules in force hold no profile for the cell. */
export async function benchmarkFor(
  trx: Trx,
  bundle: RuleBundle,
  student: StudentPlace,
  cell: Pick<BenchmarkCell, 'grade' | 'season'>,
): Promise<ResolvedProfile> {
  const country = await countryOf(trx, student);
  const profile = resolveBenchmark(benchmarksOf(bundle), { ...cell, country, measureCode: 'ORF_WCPM' });
  if (!profile) throw unavailable('No benchmark is in force.');
  return profile;
}

/** Of the school; of the organization for a student without a class. */
async function countryOf(trx: Trx, { organizationId, schoolId }: StudentPlace): Promise<string> {
  const school = schoolId === null ? undefined : await trx('school').where({ id: schoolId }).first('country');
  const organization = school ?? (await trx('organization').where({ id: organizationId }).first('country'));
  return String(organization?.country);
}
