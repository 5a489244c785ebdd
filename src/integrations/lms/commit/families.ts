// Links guardians with children who are students of the organization. The rows keep the links that were made, for a revert.
import { rowsOf } from '#core/platform/sql.ts';
import { type CreatedLink, linkFamilies } from '#identity/people/index.ts';
import { effect, pageSize, rowEffectSql } from './effect.ts';
import type { Committing } from './people.ts';

interface WantedLink {
  readonly parentUserId: number;
  readonly studentId: number;
  /** The position of the row that keeps the link. */
  readonly position: number;
}

/**
 * Selects the children of guardians who are written and, for guardians without changes, the children whom this import links
 * first. The row that is written keeps the link.
 */
const wantedLinks = `
  select distinct on (r.user_id, s.user_id) r.user_id as parent_user_id, s.user_id as student_id,
    case when ${effect} = 'write' then r.position else s.position end as position
  from lms_preview_row r cross join lateral jsonb_array_elements_text(r.facts -> 'childExternalIds') as c (id)
  join lms_preview_row s on s.organization_id = :organizationId and s.preview_id = :previewId
    and s.person_external_id = c.id and s.entity = 'student' and s.user_id is not null
  where r.organization_id = :organizationId and r.preview_id = :previewId and r.entity = 'guardian'
    and r.user_id is not null and (r.user_id, s.user_id) > (:afterParent, :afterStudent)
    and (${effect} = 'write' or (r.reason_code in ('unchanged', 'kept_local')
      and ${rowEffectSql('s')} = 'write' and jsonb_exists(s.facts, 'isFirstLinked')))
  order by r.user_id, s.user_id, 3 limit ${pageSize}`;

export async function writeFamilies(committing: Committing): Promise<void> {
  const { trx, preview } = committing;
  const key = { organizationId: preview.organizationId, previewId: preview.id };
  for (let [afterParent, afterStudent] = [0, 0]; ; ) {
    const page = await rowsOf<WantedLink>(trx, wantedLinks, { ...key, afterParent, afterStudent });
    const made = await linkFamilies(trx, preview.organizationId, page);
    await keepLinks(committing, page, made);
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    ({ parentUserId: afterParent, studentId: afterStudent } = last);
  }
}

const keyOf = ({ parentUserId, studentId }: Pick<WantedLink, 'parentUserId' | 'studentId'>) =>
  `${parentUserId} ${studentId}`;

async function keepLinks(
  { trx, preview }: Committing,
  page: readonly WantedLink[],
  made: readonly CreatedLink[],
): Promise<void> {
  if (made.length === 0) return;
  const positionOf = new Map(page.map((one) => [keyOf(one), one.position]));
  await rowsOf(
    trx,
    `update lms_preview_row r
     set facts = r.facts || jsonb_build_object('links', coalesce(r.facts -> 'links', '[]') || w.links)
     from (select m.position, jsonb_agg(m.child_id order by m.child_id) as links
       from unnest(:positions::integer[], :childIds::text[]) as m (position, child_id) group by m.position) w
     where r.organization_id = :organizationId and r.preview_id = :previewId and r.position = w.position`,
    {
      organizationId: preview.organizationId,
      previewId: preview.id,
      positions: made.map((one) => positionOf.get(keyOf(one)) ?? -1),
      childIds: made.map(({ childId }) => childId),
    },
  );
}
