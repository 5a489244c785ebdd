// What simulated children did and what the engine made of it, without the ids that every database draws anew.
import type { Db } from '#core/platform/db.ts';
import { canonicalHash } from '#core/platform/pure/canonical-json.ts';

const parts = {
  people: `select u.external_id, u.primary_persona, u.email, u.full_name_ar, c.name as class, s.name as school
    from app_user u left join enrollment e on e.student_id = u.id left join class c on c.id = e.class_id
    left join school s on s.id = c.school_id order by u.email`,
  responses: `select u.email, d.form_code, d.finish_reason, d.finished_at, i.seq, i.item_id, i.selection_tier,
      r.selected_option_index, r.correct, r.latency_ms, r.option_changes, r.received_at
    from diagnostic_response r join diagnostic_served_item i on i.id = r.served_item_id
    join diagnostic_session d on d.id = r.session_id join app_user u on u.id = d.student_id
    order by u.email, d.started_at, i.seq`,
  readings: `select u.email, o.passage_id, o.started_at, o.stopped_at, o.wcpm, o.accuracy, o.verdict, o.season
    from orf_assessment o join app_user u on u.id = o.student_id order by u.email, o.started_at`,
  flags: `select u.email, f.flag_code, f.effective_from, f.effective_to, f.active_to, f.set_at, t.email as set_by
    from context_flag f join app_user u on u.id = f.student_id join app_user t on t.id = f.set_by
    order by u.email, f.id`,
  skills: `select u.email, s.sub_skill_code, s.decided_at, s.outcome, s.status, s.confidence, s.decision_strength,
      s.modifiers, s.pac_rule_id, s.ssr_rule_id, s.code_counts
    from sse_skill_snapshot s join app_user u on u.id = s.student_id order by u.email, s.decided_at, s.sub_skill_code`,
  profiles: `select u.email, p.resolved_at, p.rule_id, p.profile_code, p.modifiers, p.anchor_sub_skill_code
    from profile_assignment p join app_user u on u.id = p.student_id order by u.email, p.id`,
  plans: `select u.email, a.bundle_id, a.state, a.track_status, a.scaffold_tier, a.delivery_mode, a.start_on, a.ended_on,
      a.current_step_no, a.cluster_key, (select count(*) from bundle_delivery d where d.assignment_id = a.id) as deliveries
    from bundle_assignment a join app_user u on u.id = a.student_id order by u.email, a.activated_at, a.bundle_id, a.state`,
  alerts: `select u.email, a.kind, a.state, a.sub_skill_code, a.opened_at, a.close_reason from rti_alert a
    join app_user u on u.id = a.student_id order by u.email, a.opened_at, a.kind, a.state`,
  tiers: `select u.email, m.from_tier, m.to_tier, m.effective_on, p.status, p.review_type from tier_movement m
    join app_user u on u.id = m.student_id left join decision_packet p on p.student_id = m.student_id
    order by u.email, m.id`,
  // Of several blueprints that fit equally well the ids decide, which every database draws anew.
  sessions: `select c.name, s.bundle_id, s.step_no, s.state, s.scheduled_on, s.delivered_on, s.delivery_mode, t.email,
      (select string_agg(u.email || ' ' || r.state || ' ' || coalesce(r.reason_code, ''), ',' order by u.email)
        from session_recipient r join app_user u on u.id = r.student_id where r.session_id = s.id) as recipients
    from teaching_session s join class c on c.id = s.class_id join app_user t on t.id = s.created_by order by c.name, s.scheduled_on, s.state`,
  tiles: `select u.email, r.as_of, t.tile_code, t.status, t.severe_path from sse_macro_snapshot t
    join sse_run r on r.id = t.run_id join app_user u on u.id = r.student_id order by u.email, r.as_of, t.tile_code`,
} as const;

export type Fingerprint = Readonly<Record<keyof typeof parts, { readonly rows: number; readonly hash: string }>>;

export async function fingerprint(owner: Db): Promise<Fingerprint> {
  const found = await Promise.all(
    Object.entries(parts).map(async ([name, statement]) => {
      const { rows } = await owner.raw<{ rows: object[] }>(statement);
      return [name, { rows: rows.length, hash: canonicalHash(rows) }];
    }),
  );
  return Object.fromEntries(found) as Fingerprint;
}
