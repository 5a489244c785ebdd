// Finds the benchmark with which a student's reading is compared.

import type { Trx } from '#core/platform/db.ts';
import { unavailable } from '#core/platform/errors.ts';
import { Organization, School, type StudentInScope } from '#identity/people/index.ts';
import type { RuleBundle } from '#rules/rulesets/index.ts';
import { type BenchmarkCell, benchmarksOf, type ResolvedProfile, resolveBenchmark } from './engine/benchmark.ts';

/** The organization and school of a student, on which a benchmark may depend. */
export type BenchmarkContext = Pick<StudentInScope, 'organizationId' | 'schoolId'>;

/** Returns the benchmark. Throws ENGINE_UNAVAILABLE when the rules in force have no profile for the cell. */
export async function benchmarkFor(
  trx: Trx,
  bundle: RuleBundle,
  student: BenchmarkContext,
  cell: Pick<BenchmarkCell, 'grade' | 'season'>,
): Promise<ResolvedProfile> {
  const country = await countryOf(trx, student);
  const profile = resolveBenchmark(benchmarksOf(bundle), { ...cell, country, measureCode: 'ORF_WCPM' });
  if (!profile) throw unavailable('No benchmark is in force.');
  return profile;
}

/** Returns the country of the school, or of the organization for a student without a class. */
async function countryOf(trx: Trx, { organizationId, schoolId }: BenchmarkContext): Promise<string> {
  const school =
    schoolId === null ? undefined : await School.query(trx).where({ id: schoolId }).select('country').first();
  const organization =
    school ?? (await Organization.query(trx).where({ id: organizationId }).select('country').first());
  return String(organization?.country);
}
