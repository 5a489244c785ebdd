// The frozen figures of a packet on paper: the measure with its aim line as a picture and a table, the open plans with their
// steps, and a sentence for each rule.
import type { Content, TableCell } from 'pdfmake/interfaces.js';
import { type ChartMark, type MarkedPoint, markSign, timeChart } from '#core/platform/pdf/charts/time-chart.ts';
import { ruled } from '#core/platform/pdf/layouts.ts';
import { arabic, latin, row } from '#core/platform/pdf/text.ts';
import type { PacketFigures, PacketPlan, PacketSeries } from '../rows/figures.ts';
import { goalWords, packetLabels, probeWords, sessionRoleWords, valueWords } from './arabic-labels.ts';
import { printedDate } from './paper.ts';
import { ruleSentences } from './rule-sentences.ts';

/** Between the margins, in points. */
const pageWidth = 515;
const chartHeight = 150;

export const figuresOf = ({ measure, series, plans, ruleIds }: PacketFigures): Content[] => [
  rulesOf(ruleIds),
  ...(series
    ? measureOf(series)
    : [together(packetLabels.measure, arabic(measure ? packetLabels.noProbes : packetLabels.noMeasure))]),
  ...plansOf(plans),
];

const heading = (label: string): Content => arabic(label, { fontSize: 13, margin: [0, 12, 0, 4] });
/** Keeps a part on the page of its heading. */
const together = (label: string, ...parts: readonly Content[]): Content => ({
  unbreakable: true,
  stack: [heading(label), ...parts],
});
const number = (value: number | string): Content => latin(String(value), { alignment: 'right' });
const lines = ruled({ hLineWidth: 0.4, vLineWidth: 0, hLineColor: '#999999', paddingTop: 3, paddingBottom: 3 });

function rulesOf(ruleIds: readonly string[]): Content {
  const body = ruleIds.map((id) => row(number(id), arabic(ruleSentences[id] ?? packetLabels.otherRule)));
  return together(packetLabels.reasons, { table: { widths: ['*', 60], body }, layout: lines });
}

const rounded = (value: number): number => Number(value.toFixed(1));

const markOf: Readonly<Record<PacketSeries['points'][number]['role'], ChartMark>> = {
  baseline: 'hollow',
  monitoring: 'joined',
  outside_window: 'crossed',
  not_comparable: 'crossed',
};

function measureOf(series: PacketSeries): Content[] {
  const { baseline, goal, trendType } = series;
  const facts = [
    ...(baseline ? [row(arabic(packetLabels.baseline), scoreOn(baseline))] : []),
    ...(goal ? [row(arabic(packetLabels.goal), scoreOn(goal))] : []),
    row(arabic(packetLabels.trend), arabic(valueWords[trendType] ?? trendType)),
  ];
  const unit = arabic(packetLabels.unit, { margin: [0, 0, 0, 6] });
  return [
    together(packetLabels.measure, unit, pictureOf(series), legendOf(series)),
    { table: { widths: ['*', 110], body: facts }, layout: lines, margin: [0, 4, 0, 8] },
    pointsOf(series),
  ];
}

const scoreOn = ({ score, date }: { readonly score: number; readonly date: string }): Content =>
  number(`${rounded(score)} (${printedDate(date)})`);

function pictureOf({ points, baseline, goal }: PacketSeries): Content {
  const aim = baseline &&
    goal && {
      from: { date: baseline.date, value: baseline.score },
      to: { date: goal.date, value: goal.score },
    };
  const marked = points.map(({ date, score, role }): MarkedPoint => ({ date, value: score, mark: markOf[role] }));
  return timeChart({ points: marked, aim, width: pageWidth, height: chartHeight, dateLabel: printedDate });
}

/** The signs that the picture has, the first one at the right. */
function legendOf({ points, goal }: PacketSeries): Content {
  const has = (mark: ChartMark) => points.some(({ role }) => markOf[role] === mark);
  const signs: readonly (readonly [ChartMark | 'aim', string, boolean])[] = [
    ['hollow', packetLabels.ofBaseline, has('hollow')],
    ['joined', packetLabels.ofMonitoring, has('joined')],
    ['crossed', packetLabels.ofOthers, has('crossed')],
    ['aim', packetLabels.ofAim, goal !== null],
  ];
  const shown = signs.filter(([, , isThere]) => isThere);
  return {
    columns: shown.toReversed().flatMap(([mark, words]) => [
      { width: '*', stack: [arabic(words, { fontSize: 9 })] },
      { width: 34, stack: [markSign(mark)] },
    ]),
    columnGap: 4,
    margin: [0, 2, 0, 6],
  };
}

function pointsOf({ points }: PacketSeries): Content {
  const head = [packetLabels.date, packetLabels.words, packetLabels.aim, packetLabels.probe];
  const body = points.map(({ date, score, aim, role }): TableCell[] =>
    row(
      number(printedDate(date)),
      number(rounded(score)),
      number(aim === null ? '–' : rounded(aim)),
      arabic(probeWords[role]),
    ),
  );
  return {
    table: {
      ...{ headerRows: 1, keepWithHeaderRows: 1, dontBreakRows: true, widths: ['*', 110, 110, 90] },
      body: [row(...head.map((label) => arabic(label))), ...body],
    },
    layout: lines,
  };
}

function plansOf(plans: readonly PacketPlan[]): Content[] {
  const [first, ...rest] = plans;
  if (!first) return [together(packetLabels.plans, arabic(packetLabels.noPlans))];
  return [together(packetLabels.plans, planOf(first)), ...rest.map(planOf)];
}

function planOf({ nameAr, state, startOn, currentStepNo, steps }: PacketPlan): Content {
  const head = [packetLabels.stepNo, packetLabels.step, packetLabels.sessions, packetLabels.stepGoal];
  const body = steps.map((step): TableCell[] => {
    const now = step.stepNo === currentStepNo ? ` (${packetLabels.current})` : '';
    return row(
      number(step.stepNo),
      arabic(`${sessionRoleWords[step.sessionRole] ?? step.sessionRole}${now}`),
      number(`${step.deliveredSessions} / ${step.plannedSessions}`),
      arabic(goalWords[step.goalState]),
    );
  });
  const started = row(arabic(packetLabels.started), number(printedDate(startOn)));
  return {
    unbreakable: true,
    stack: [
      arabic(`${nameAr} · ${valueWords[state] ?? state}`, { bold: true }),
      { table: { widths: ['*', 110], body: [started] }, layout: lines },
      {
        table: {
          headerRows: 1,
          widths: ['*', 90, 180, 70],
          body: [row(...head.map((label) => arabic(label))), ...body],
        },
        layout: lines,
        margin: [0, 0, 0, 10],
      },
    ],
  };
}
