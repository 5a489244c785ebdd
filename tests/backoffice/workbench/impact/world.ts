// Classes of students with evidence and results, drafts as an author would leave them, and impacts run to their end.

import type { Static } from 'typebox';
import { recomputeStudents } from '#assessment/skill-status/index.ts';
import { findChange } from '#backoffice/workbench/changes/store.ts';
import type { ImpactReport } from '#backoffice/workbench/impact/schemas.ts';
import { type ImpactOrder, startImpact, usableChange } from '#backoffice/workbench/impact/start.ts';
import { impactModelOf } from '#backoffice/workbench/impact/steps/model.ts';
import { runJob } from '#core/long-jobs/runner.ts';
import type { JobRow } from '#core/long-jobs/store.ts';
import type { Services } from '#core/module/services.ts';
import { type Db, inContext } from '#core/platform/db.ts';
import type { NoticesSection } from '#messaging/notifications/simulate/section.ts';
import type { RewardsSection } from '#outcomes/rewards/simulate/section.ts';
import { documentName, type RuleDocument } from '#rules/rulesets/index.ts';
import type { SupportSection } from '#support/interventions/simulate/simulator.ts';
import { answersOf, bundle } from '../../../assessment/skill-status/evidence.ts';
import type { Shell } from '../../../assessment/skill-status/shell.ts';
import { buildChange, type ChangeParts } from '../../../harness/changes.ts';
import { buildClass, buildSchool, buildStudent, type ClassRow } from '../../../harness/factories.ts';

export const january = (day: number, hour = 7) =>
  `2026-01-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00.000Z`;

/** A copy of a shipped document as its next version, for a test to change. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
export function edited(name: `${string}/${string}`, change: (document: any) => void): RuleDocument {
  const shipped = bundle.documents.find((document) => documentName(document) === name);
  const copy = structuredClone(shipped) as RuleDocument & { meta: { version: number } };
  copy.meta.version += 1;
  change(copy);
  return copy;
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
export const ruleOf = (document: any, name: string): any =>
  document.rules.find((rule: { name: string }) => rule.name === name);

/** Sets a constant, and every literal that stands for it. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
export function setConstant(document: any, id: string, value: number): void {
  document.constants[id].value = value;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
  const visit = (node: any): void => {
    if (typeof node !== 'object' || node === null) return;
    if (node.valueRef === id) node.value = value;
    for (const member of Object.values(node)) visit(member);
  };
  visit(document.rules ?? []);
}

export const weakGatewaysNoLonger = (): RuleDocument =>
  edited('ssr/ssr', (document) => {
    ruleOf(document, 'SSR-08').event.params.outcome = 'weak_isolated';
  });

const letters = ['C', 'C', 'C', 'L', 'U', 'T', 'Q', 'A', 'N', 'U!'] as const;
const subSkills = ['LK_SOUND', 'DEC_WORD', 'VOC_MEANING', 'PA_BLEND', 'LIS_LITERAL', 'RC_LITERAL', 'ACC_SHADDA'].filter(
  (code) =>
    bundle.values<{ subSkills: { code: string }[] }>('catalogue/subskills').subSkills.some((one) => one.code === code),
);

/** The same sequence in every run of a test. */
export function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Letters for some sub-skills; weak students err more often. */
function sitting(next: (below: number) => number, weak: boolean): Record<string, string> {
  const chosen = subSkills.filter(() => next(10) < 7);
  return Object.fromEntries(
    chosen.map((code) => [
      code,
      Array.from({ length: 3 + next(5) }, () => letters[weak ? 3 + next(7) : next(letters.length)]).join(''),
    ]),
  );
}

export interface Place {
  readonly organizationId: string;
  readonly schools: readonly string[];
  /** Two of the first school, one of the second. */
  readonly classes: readonly ClassRow[];
  readonly studentIds: readonly number[];
}

/** An organization with three classes of grades 1 to 3; every student has sat twice, and has results. */
export async function buildPlace(shell: Shell, perClass: number, seed: number): Promise<Place> {
  const { owner } = shell.app.database;
  const next = sequence(seed);
  const first = await buildSchool(owner);
  const { organizationId } = first;
  const second = await buildSchool(owner, { organizationId });
  const classes: ClassRow[] = [];
  const studentIds: number[] = [];
  for (const [at, schoolId] of [first.id, first.id, second.id].entries()) {
    const classRow = await buildClass(owner, { organizationId, schoolId, grade: at + 1 });
    classes.push(classRow);
    for (let place = 0; place < perClass; place += 1) {
      const student = { ...(await buildStudent(owner, classRow)), organizationId };
      studentIds.push(student.id);
      for (const day of [5, 9]) {
        const answers = answersOf(sitting(next, place % 2 === 1), day);
        if (answers.length === 0) continue;
        await shell.diagnostic({ ...student, classRow }, answers, { finishedAt: january(day), announced: false });
      }
    }
  }
  shell.app.clock.set(january(10));
  await recomputeStudents(shell.services, organizationId, studentIds);
  return { organizationId, schools: [first.id, second.id], classes, studentIds };
}

/** More students with the runs of those that are there, so that there are many chunks. */
export const multiply = (owner: Db, organizationId: string, count: number) =>
  inContext(owner, 'SUPER', (trx) =>
    trx.raw(
      `with person as (
         insert into app_user (organization_id, scope, primary_persona, full_name_ar, created_at)
         select :organizationId, 'ORGANIZATION', 'STUDENT', 'طالب', now() from generate_series(1, :count) returning id),
       numbered as (select id, row_number() over (order by id) as place from person),
       known as (select *, row_number() over (order by seq) as place, count(*) over () as size from sse_run
         where organization_id = :organizationId)
       insert into sse_run (id, organization_id, student_id, school_year, trigger, as_of, window_from, window_to, grade,
         context_review, outcome, halted, next_data_action, evaluated_sub_skills, input, input_hash, result_hash,
         response_rule_ids, response_codes, tiles, bundle_id, rule_versions, created_at)
       select 'c' || substr(md5(n.id::text), 1, 23), :organizationId, n.id, school_year, trigger, as_of, window_from,
         window_to, grade, context_review, outcome, halted, next_data_action, evaluated_sub_skills, input, input_hash,
         result_hash, response_rule_ids, response_codes, tiles, bundle_id, rule_versions, created_at
       from numbered n join known k on k.place = (n.place - 1) % k.size + 1`,
      { organizationId, count },
    ),
  );

type Served = Pick<Shell, 'app' | 'services'>;

/** A change of these documents, by a new author. */
export const storedChange = (
  { app }: Served,
  documents: readonly RuleDocument[],
  parts: Pick<ChangeParts, 'state' | 'texts'> = {},
) => buildChange(app.database.owner, { documents, at: app.clock.now(), ...parts });

// biome-ignore lint/suspicious/noExplicitAny: a report is read as the test needs it
export type Report = any;

/** With the sections of the shipped simulators. */
export type WholeReport = ImpactReport<{
  readonly support: Static<typeof SupportSection> | null;
  readonly rewards: Static<typeof RewardsSection> | null;
  readonly notices: Static<typeof NoticesSection> | null;
  readonly alertsOverdue: Readonly<Record<'before' | 'after', number>> | null;
}>;

export type Order = Pick<ImpactOrder, 'scope' | 'asOf'>;

export async function startOf(shell: Shell, documents: Texts, order: Order): Promise<string> {
  return startWith(shell, await storedChange(shell, [documents].flat()), order);
}

export type Texts = RuleDocument | readonly RuleDocument[];

export const startWith = ({ services, app }: Shell, change: ImpactOrder['change'], order: Order): Promise<string> =>
  startFor(services, { change, ...order, requestedBy: 1 }, app.clock.now());

/** As the route does it. */
export async function startFor(services: Services, order: ImpactOrder, now: Date): Promise<string> {
  const work = await inContext(services.db, 'SUPER', async (trx) => {
    const change = await findChange(trx, order.change.id);
    if (!change) throw new Error('there is no such change');
    return usableChange(trx, services, change, now);
  });
  const usable = await work();
  return inContext(services.db, 'SUPER', (trx) => startImpact(trx, services, order, usable, now));
}

export const jobOf = ({ app }: Served, id: string): Promise<JobRow<never, never, Report>> =>
  inContext(app.database.owner, 'SUPER', (trx) => trx('rule_job').where({ id }).first());

/** As if its holder had died some time ago. */
export async function leaseRunsOut({ app }: Shell, id: string): Promise<void> {
  await inContext(app.database.owner, 'SUPER', (trx) =>
    trx('rule_job')
      .where({ id })
      .update({ heldUntil: trx.raw("clock_timestamp() - interval '1 second'") }),
  );
}

export async function workOn(shell: Served, id: string, atOnce = { stored: 500, gathered: 100 }): Promise<void> {
  const { organizationId } = await jobOf(shell, id);
  await runJob(shell.services, [impactModelOf(atOnce)], { id, organizationId });
}

/** Starts the impact of a document and answers its finished job. */
export async function impactOf(shell: Shell, documents: Texts, order: Order) {
  const id = await startOf(shell, documents, order);
  await workOn(shell, id);
  const job = await jobOf(shell, id);
  if (job.state !== 'done') throw new Error(`the job is ${job.state}: ${job.issue}`);
  return { job, report: job.report as Report };
}

// biome-ignore lint/suspicious/noExplicitAny: a report is read as the test needs it
export const layerOf = (report: Report, layer: string): any =>
  report.layers.find((one: { layer: string }) => one.layer === layer);
