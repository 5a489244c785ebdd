// Oral reading: the score of a reading, its benchmark, and the trend of a series.

import {
  benchmarksOf,
  type MeasureCode,
  resolveBenchmark,
  verdictOf,
} from '#assessment/measurement/fluency/engine/benchmark.ts';
import { cbmRules } from '#assessment/measurement/fluency/engine/cbm-rules.ts';
import { type Mark, type Stop, stopReading } from '#assessment/measurement/fluency/engine/reading.ts';
import { type SeriesInput, seriesTrend } from '#assessment/measurement/fluency/engine/trend.ts';
import { measureCodes } from '#assessment/measurement/index.ts';
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import { seededNumbers } from '#core/platform/pure/random.ts';
import { type Season, seasons } from '#rules/catalogue/index.ts';
import { type RecordedEngine, recorded } from './engine.ts';

interface ReadAloud {
  readonly country: string;
  readonly grade: number;
  readonly season: Season;
  readonly measureCode: MeasureCode;
  readonly marks: readonly Mark[];
  readonly stop: Stop;
}

const markKinds = ['incorrect', 'omitted', 'self_corrected', 'correct'] as const;

function readAloud(at: number): ReadAloud {
  const next = seededNumbers(at + 1);
  const lastWordIndex = Math.floor(next() * (20 + at * 2)) - (at === 3 ? 99 : 0);
  const marks = Array.from({ length: Math.floor(next() * 12) }, () => ({
    wordIndex: Math.floor(next() * 40),
    mark: markKinds[Math.floor(next() * 4)] ?? 'correct',
  }));
  const reason = at % 7 === 6 ? 'teacher_stop' : at % 7 === 5 ? 'discontinued' : at % 2 ? 'finished_early' : 'time_up';
  const elapsedSeconds = reason === 'time_up' ? 60 : 20 + at;
  return {
    ...{ country: at % 2 ? 'SA' : 'JO', grade: 1 + (at % 4), season: seasons[at % 3] ?? 'BOY' },
    ...{ measureCode: measureCodes[at % measureCodes.length] ?? measureCodes[0], marks },
    stop: { reason, elapsedSeconds, lastWordIndex: Math.max(-1, lastWordIndex) },
  };
}

const reading: RecordedEngine<ReadAloud> = {
  name: 'reading',
  questions: () => Array.from({ length: 28 }, (_, at) => ({ id: `${at}`, input: readAloud(at) })),
  compile: (bundle) => {
    const profiles = benchmarksOf(bundle);
    return ({ marks, stop, ...cell }) => {
      const score = stopReading(marks, stop);
      const profile = resolveBenchmark(profiles, cell) ?? null;
      return {
        score,
        profile,
        verdict: score.status === 'SCORED' ? verdictOf(profile?.cuts ?? null, score.wcpm) : null,
      };
    };
  },
};

function series(at: number): SeriesInput {
  const next = seededNumbers(at + 1);
  const slope = [0.2, 1.4, -0.8, 0.7][at % 4] ?? 0;
  const probes = Array.from({ length: at % 14 }, (_, place) => ({
    probeId: place + 1,
    date: daysAfter('2026-09-06', place * (at % 3 === 2 ? 3 : 7) + (at % 5 === 4 && place === 4 ? -3 : 0)),
    passageId: `ORF-G2-0${1 + (place % (2 + (at % 4)))}`,
    score: Math.max(0, Math.round(14 + slope * place + next() * 5 - (at % 6 === 5 && place === 9 ? 12 : 0))),
    readingId: `R${place + 1}`,
  }));
  const readings = probes.map(({ readingId, passageId, date }) => ({ readingId, passageId, date }));
  const benchmark = at % 4 === 3 ? null : 25;
  return { yearFrom: '2026-08-15', asOf: daysAfter('2026-09-06', at % 2 ? 100 : 60), benchmark, probes, readings };
}

const trend: RecordedEngine<SeriesInput> = {
  name: 'trend',
  questions: () => Array.from({ length: 24 }, (_, at) => ({ id: `${at}`, input: series(at) })),
  compile: (bundle) => {
    const rules = cbmRules(bundle);
    return (input) => {
      const { roles, ...rest } = seriesTrend(input, rules);
      return { ...rest, roles: [...roles].map(([probeId, role]) => `${probeId} ${role}`) };
    };
  },
};

export const fluencyEngines = [recorded(reading), recorded(trend)];
