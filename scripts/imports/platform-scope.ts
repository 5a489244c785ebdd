// Who may see the rows of all organizations at once. Code that asks for it goes to the platform's login, past which the
// database confines nothing: `npm run check` refuses a file that stands in no list here, and a list that is not needed.
import type { Sources } from './findings.ts';

/** By why it has to. None of them is the work of a route that a teacher, a parent or a student may call. */
export const platformScope: Readonly<Record<string, readonly string[]>> = {
  'who is there is not known yet: sign-in, sessions, recovery, streams': [
    'src/app.ts',
    'src/http/joint.ts',
    'src/notifications/services.ts',
    'src/notifications/stream/places.ts',
    'src/people/google/exchange.ts',
    'src/people/google/sign-in.ts',
    'src/people/attempts/attempts.ts',
    'src/people/attempts/places.ts',
    'src/people/quick-codes/quick-codes.ts',
    'src/people/second-factor/login.ts',
    'src/people/second-factor/owner.ts',
    'src/people/sessions/refresh-limit.ts',
    'src/people/sessions/sessions.ts',
    'src/people/sign-in/sign-in.ts',
    'src/lms/oauth/finish.ts',
    'src/lms/oauth/states.ts',
  ],
  'nobody signs in: the teaser, the start page, demo data, a start': [
    'src/demo/routes.ts',
    'src/demo/seed.ts',
    'src/demo/start.ts',
    'src/home/routes.ts',
    'src/start-refusals.ts',
    'src/teaser/unavailable.ts',
  ],
  'the backoffice: a SUPER caller until the resource is found, rules, checks, operations': [
    'src/decision-packets/packets/seat.ts',
    'src/http/pipeline.ts',
    'src/measurement/calibration/answers.ts',
    'src/operations/metrics/work.ts',
    'src/operations/qa.ts',
    'src/operations/watch.ts',
    'src/qa/audit/summary.ts',
    'src/workbench/explain/routes.ts',
    'src/workbench/ledger/verify.ts',
    'src/workbench/qa.ts',
    'src/workbench/transfer/import.ts',
  ],
  'the relay, sweeps, schedules and jobs that go over all organizations': [
    'src/aggregates/rollups/jobs.ts',
    'src/fidelity/jobs.ts',
    'src/kernel/sealing.ts',
    'src/live-sessions/ending/jobs.ts',
    'src/lms/providers/unreadable.ts',
    'src/lms/scheduled/due.ts',
    'src/lms/turns/open-jobs.ts',
    'src/long-jobs/lease.ts',
    'src/long-jobs/runner.ts',
    'src/measurement/diagnostics/jobs.ts',
    'src/notifications/dispatch/jobs.ts',
    'src/operations/ledger-years.ts',
    'src/operations/outbox.ts',
    'src/operations/retention/purge.ts',
    'src/people/accounts/email-conflicts.ts',
    'src/platform/outbox.ts',
    'src/qa/audit/jobs.ts',
    'src/qa/audit/run.ts',
    'src/qa/probes/find.ts',
    'src/qa/routing/announce.ts',
    'src/report-jobs/rows/turns.ts',
    'src/rewards/emission/jobs.ts',
    'src/rti/evaluation/jobs.ts',
    'src/skill-status/recompute/jobs.ts',
    'src/workbench/activation/recompute.ts',
    'src/workbench/activation/schedule.ts',
    'src/workbench/impact/steps/model.ts',
    'src/workbench/impact/steps/platform.ts',
    'src/workbench/ledger/attest.ts',
    'src/workbench/ledger/rewards.ts',
    'src/workbench/ledger/seal.ts',
    'src/workbench/reference-engine/fallback.ts',
    'src/workbench/replays/model.ts',
    'src/workbench/replays/nightly.ts',
    'workers/days.ts',
    'workers/relay.ts',
    'workers/retries.ts',
  ],
  'a row of the platform’s beside what a route does: an alert, a security event, a look at the platform’s own reports':
    [
      'src/parents/alerts.ts',
      'src/people/personal-data/mentions.ts',
      'src/qa/log/tell.ts',
      'src/security-events/recorder.ts',
    ],
};

/** The way to it, which everybody else takes. */
const way = 'src/platform/db.ts';

const asks = [
  /\b(?:inContext|inReadOnlyContext|readingIn|bulkReadingIn|enterContext)\(\s*[\w.#]+,\s*'SUPER'/,
  /[?:]\s*\(?'SUPER'(?: as const\))?\s*:\s*\{ ?organizationId/,
  /\b(?:onPlatform|besides)\(/,
];

/** Findings about the files of `sources`. */
export function platformFindings(sources: Sources, allowed = platformScope): string[] {
  const listed = new Set(Object.values(allowed).flat());
  const asking = [...sources].filter(([file, text]) => file !== way && isAsking(text)).map(([file]) => file);
  return [
    ...asking
      .filter((file) => !listed.has(file))
      .map(
        (file) =>
          `${file} asks for the rows of all organizations, and stands in no list of scripts/imports/platform-scope.ts`,
      ),
    ...[...listed]
      .filter((file) => !asking.includes(file))
      .map((file) => `${file} stands in scripts/imports/platform-scope.ts, and asks for no rows of all organizations`),
  ];
}

const isAsking = (text: string): boolean => asks.some((pattern) => pattern.test(text));
