// Outcomes of a bundle in a school or an organization, as they were released.
import type { Static } from 'typebox';
import type { Actor } from '#core/http/route.ts';
import { denied, invalid, notFound } from '#core/platform/errors.ts';
import { findSchoolInReach, Organization } from '#identity/people/index.ts';
import { bundleById } from '#support/interventions/index.ts';
import { effectBand, effects } from '../bundle-outcomes.ts';
import { noBand } from '../enums.ts';
import { releasedHead } from '../present.ts';
import type { ReadContext } from './read-context.ts';
import { newestRelease, type ReleaseQuestion } from './released.ts';
import type { EffectQuery } from './schemas.ts';

type Reading = ReadContext & { readonly actor: Actor };
type Query = Static<typeof EffectQuery>;

/** Throws NOT_FOUND for an unknown bundle or unit, PERMISSION_DENIED for one out of reach, and ENGINE_UNAVAILABLE. */
export async function readEffect(ctx: Reading, bundleId: string, query: Query) {
  await bundleById(ctx.services, ctx.trx, bundleId, ctx.now);
  const of = await askedUnit(ctx, query);
  const release = await newestRelease(ctx.trx, {
    ...{ ...of, cellsOf: of.unit, statistics: ['bundle_effect'], subject: bundleId },
  });
  const cell = release?.cells[0];
  return {
    ...{ bundle_id: bundleId, schoolId: query.schoolId ?? null, ...releasedHead(release) },
    students: cell?.students ?? 0,
    cells: effects.map((effect) => ({ ...effect, students: cell?.counts[effectBand(effect)] ?? null })),
    withoutCompletion: cell?.counts[noBand] ?? null,
    suppressed: cell?.suppressed ?? true,
  };
}

type AskedUnit = Pick<ReleaseQuestion, 'organizationId' | 'unit' | 'unitId'>;

/** Returns a school, or the organization if the caller may read counts of all of it. */
async function askedUnit(ctx: Reading, { schoolId, organizationId }: Query): Promise<AskedUnit> {
  if (schoolId !== undefined) {
    const { row } = await findSchoolInReach(ctx, schoolId, ['PRINCIPAL', 'ADMIN', 'MANAGER']);
    if (organizationId !== undefined && organizationId !== row.organizationId) throw notFound();
    return { organizationId: row.organizationId, unit: 'school', unitId: row.id };
  }
  if (ctx.actor.persona === 'PRINCIPAL') throw denied();
  const asked = organizationId ?? ctx.actor.organizationId;
  if (asked === null) throw invalid('organizationId', 'is required without schoolId');
  if (!(await Organization.query(ctx.trx).findById(asked).select('id'))) throw notFound();
  return { organizationId: asked, unit: 'organization', unitId: asked };
}
