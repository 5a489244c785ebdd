// Finds the stored rows of a run's results: the row that the run appended, or the newest one before it.
import type { Trx } from '#core/platform/db.ts';
import { rowsOf } from '#core/platform/sql.ts';
import type { SimulatedRun } from './runs.ts';

/** `subject` is the code of a sub-skill, domain or tile. */
export interface StampQuestion {
  readonly kind: 'skill' | 'domain' | 'tile';
  readonly run: Pick<SimulatedRun, 'id' | 'organizationId'>;
  readonly subject: string;
}

const stampKey = ({ kind, run, subject }: StampQuestion): string => `${kind} ${run.id} ${subject}`;

interface Found {
  readonly kind: StampQuestion['kind'];
  readonly runId: string;
  readonly subject: string;
  readonly rowId: string;
}

/** Returns stamp ids by `stampKey`; a question without a stored row has none. */
export async function storedStamps(
  trx: Trx,
  organizationId: string,
  questions: readonly StampQuestion[],
): Promise<(question: StampQuestion) => string | undefined> {
  const found = await rowsOf<Found>(
    trx,
    `select t.kind, t.run_id, t.subject, s.row_id
     from unnest(:kinds::text[], :runIds::text[], :subjects::text[]) as t (kind, run_id, subject)
     join sse_run r on r.organization_id = :organizationId and r.id = t.run_id
     cross join lateral (
       (select 'skill:' || k.id as row_id from sse_skill_snapshot k
         join sse_run own on own.organization_id = k.organization_id and own.id = k.run_id
         where t.kind = 'skill' and k.organization_id = r.organization_id and k.student_id = r.student_id
           and k.school_year = r.school_year and k.sub_skill_code = t.subject and own.seq <= r.seq
         order by k.id desc limit 1)
       union all
       (select 'domain:' || d.id from sse_domain_snapshot d
         join sse_run own on own.organization_id = d.organization_id and own.id = d.run_id
         where t.kind = 'domain' and d.organization_id = r.organization_id and d.student_id = r.student_id
           and d.school_year = r.school_year and d.domain_code = t.subject and own.seq <= r.seq
         order by d.id desc limit 1)
       union all
       (select 'tile:' || r.id || '.' || t.subject
         where t.kind = 'tile' and r.tiles @> jsonb_build_array(jsonb_build_object('tileCode', t.subject)))) s`,
    {
      organizationId,
      kinds: questions.map(({ kind }) => kind),
      runIds: questions.map(({ run }) => run.id),
      subjects: questions.map(({ subject }) => subject),
    },
  );
  const known = new Map(found.map(({ kind, runId, subject, rowId }) => [`${kind} ${runId} ${subject}`, rowId]));
  return (question) => known.get(stampKey(question));
}
