// A teacher who marks readings and records probes over HTTP, with the responses of the service.
import { signIn, type UserRow } from '../../../harness/factories.ts';
import type { TestApp } from '../../../harness/http.ts';

export interface StartedBody {
  assessmentId: string;
  status: string;
  season: string;
  benchmarkProfile: { key: string; version: number };
  passage: { passageId: string; grade: number; words: { index: number; text: string; line: number }[] };
}
export interface StoppedBody {
  status: string;
  wcpm: number | null;
  accuracy: number | null;
  wordsAttempted: number | null;
  errors: number | null;
  verdict: string;
}
export interface TrendBody {
  formFamily: string;
  asOf: string;
  baseline: { score: number; anchorDate: string; probeIds: number[] } | null;
  goal: { score: number; date: string } | null;
  aimSlopePerWeek: number | null;
  slopePerWeek: number | null;
  trendType: string;
  points: { probeIds: number[]; date: string; score: number; aim: number | null; role: string }[];
  ruleVersion: string;
}
export interface ProbeAnswer {
  probeId: number;
  administeredOn: string;
  score: number;
  role: string;
  trend: TrendBody;
}
export interface AlertsBody {
  items: { alertId: string; studentId: number; kind: string; openedAt: string; closedAt: string | null }[];
  nextCursor: string | null;
}
interface ErrorBody {
  code: string;
  details?: { field: string; issue: string }[];
}

export const detailOf = (body: unknown) => (body as ErrorBody).details?.[0];

/** Signs in for each request, so that the clock can be moved by weeks. */
export function teacher(app: TestApp, user: UserRow) {
  const options = async () => ({ token: await signIn(app, user) });
  const post = async <Body>(path: string, body: object) => app.post<Body>(path, body, await options());
  const get = async <Body>(path: string) => app.get<Body>(path, await options());
  return {
    start: (body: object) => post<StartedBody>('/api/orf/assessments/start', body),
    mark: (id: string, marks: object[]) => post<{ marked: number }>(`/api/orf/assessments/${id}/mark`, { marks }),
    stop: (id: string, body: object) => post<StoppedBody>(`/api/orf/assessments/${id}/stop`, body),
    probe: (body: object) => post<ProbeAnswer>('/api/cbm/probes', { measureCode: 'ORF_WCPM', ...body }),
    trend: (studentId: number, query = '') =>
      get<TrendBody>(`/api/cbm/trend/${studentId}?measureCode=ORF_WCPM${query}`),
    alerts: (query = '') => get<AlertsBody>(`/api/cbm/alerts${query}`),
  };
}

/** A full minute up to a word. */
export const timeUp = (lastWordIndex: number) => ({ reason: 'time_up', elapsedSeconds: 60, lastWordIndex });
