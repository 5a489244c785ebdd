// Finds what was changed since a commit: a revert reports these rows, or keeps them when the caller asks for that.
import type { Trx } from '#core/platform/db.ts';
import { joinedByHash, rowsOf } from '#core/platform/sql.ts';
import { isAddressElsewhere } from '../cross-organization.ts';
import { identityOf } from '../enums.ts';
import { classOfChange, ofRun } from './changes.ts';
import type { LmsSyncRun } from './rows.ts';
import { teaching } from './teaching.ts';

/** Returns the ids of rows in order. A row whose former class is archived by now counts as changed too. */
export async function findChangesSinceCommit(trx: Trx, run: LmsSyncRun): Promise<string[]> {
  const { organizationId, id: runId, provider } = run;
  const key = { organizationId, runId };
  const other = await joinedByHash(trx, () =>
    rowsOf<Changed>(trx, otherThanAfter, { ...key, identity: identityOf(provider) }),
  );
  const taken = await findTakenAddresses(trx, run);
  const changed = inOrder([...other, ...taken]);
  const alone = await rowsOf<Changed>(trx, lastTeachers, { ...key, kept: changed.map(({ rowId }) => rowId) });
  return inOrder([...changed, ...alone]).map(({ rowId }) => rowId);
}

interface Changed {
  readonly rowId: string;
  readonly position: number;
}

const inOrder = (rows: readonly Changed[]): Changed[] =>
  [...new Map(rows.map((row) => [row.position, row])).values()].sort((one, other) => one.position - other.position);

const isOtherPerson = `jsonb_build_array(u.full_name_ar, u.email, u.status) is distinct from
    jsonb_build_array(c.after -> 'person' -> 'fullNameAr', c.after -> 'person' -> 'email', c.after -> 'person' -> 'status')
  or ((c.after -> 'isLinked')::boolean and i.user_id is distinct from c.user_id)
  or (jsonb_typeof(c.after -> 'links') = 'array' and exists (
    select from jsonb_array_elements_text(c.after -> 'links') as l (id) where not exists (select from parent_student p
      where p.organization_id = :organizationId and p.child_id = l.id)))`;

const isOtherEnrollment = `(c.before ->> 'classId' is not null and (k.id is null or k.archived_at is not null))
  or case when c.after ->> 'role' = 'teacher' then ${teaching(classOfChange, 'c.user_id')} is distinct from c.after -> 'teaching'
    else e.class_id is distinct from (c.after ->> 'classId')::bigint end`;

const otherThanAfter = `
  select c.row_id, c.position from lms_change c
  left join app_user u on u.organization_id = :organizationId and u.id = c.user_id
  left join external_identity i on i.organization_id = :organizationId and i.provider = :identity
    and i.subject = c.after ->> 'externalId'
  left join enrollment e on c.after ->> 'role' = 'student' and e.organization_id = :organizationId
    and e.student_id = c.user_id and e.enrolled_to is null
  left join class k on k.organization_id = :organizationId and k.id = (c.before ->> 'classId')::bigint
  where ${ofRun} and (u.id is null or u.status = 'merged'
    or case when jsonb_exists(c.after, 'person') then ${isOtherPerson} else ${isOtherEnrollment} end)`;

/** Returns the rows whose former address belongs to another account by now, in any organization. */
export const findTakenAddresses = (trx: Trx, { organizationId, id: runId }: LmsSyncRun): Promise<Changed[]> =>
  rowsOf<Changed>(
    trx,
    `select c.row_id, c.position from lms_change c
     where ${ofRun} and ${formerAddress} is distinct from c.after -> 'person' ->> 'email'
       and (${isAddressElsewhere(formerAddress)} or exists (select from sign_in_name n
         where n.organization_id = :organizationId and n.email = ${formerAddress} and n.user_id <> c.user_id))`,
    { organizationId, runId },
  );

const formerAddress = "c.before -> 'person' ->> 'email'";

/**
 * Selects teachers who joined a class whose former teachers no longer exist: the class would have no teacher without them.
 */
const lastTeachers = `
  with moves as (select c.row_id, c.position, ${classOfChange} as class_id,
      c.before -> 'teaching' -> 'own' <> 'null'::jsonb as returns, c.before -> 'teaching' -> 'leader' <> 'null'::jsonb as led
    from lms_change c
    where ${ofRun} and c.after ->> 'role' = 'teacher' and c.row_id <> all (:kept::text[])),
  leaving as (select m.*, count(*) over (partition by class_id) as number from moves m where not returns)
  select l.row_id, l.position from leaving l
  where l.led and not exists (select from moves m where m.class_id = l.class_id and m.returns)
    and l.number >= (select count(*) from class_teacher t
      where t.organization_id = :organizationId and t.class_id = l.class_id)`;
