// The capability of lessons: blueprints that are scheduled for a class, delivered and answered.
import type { Capability } from '#core/module/capability.ts';
import { answersOfDelivered } from './answers/analysable.ts';
import { answersOfLessons } from './answers/lesson-answers.ts';
import { lessonAnswerRoutes } from './answers/routes.ts';
import { auditedLessons } from './audited.ts';
import { lessonChangeRoutes } from './changes/routes.ts';
import { recipientExplainer } from './explain/explainer.ts';
import { lessonPdf } from './papers/kind.ts';
import { paperTexts } from './papers/pages/labels.ts';
import { lessonPaperRoutes } from './papers/routes.ts';
import { lessonsSection } from './personal-data.ts';
import { lessonReadRoutes } from './reads/routes.ts';
import { plannedMinutes } from './rows/store.ts';
import { targetsOfLessons } from './rows/targets.ts';

export const lessonsCapability: Capability = {
  name: 'sessions',
  rollOverGuard: { usesOfClasses: ['teaching_session'] },
  /** Routes with a literal path segment precede those with an id in its place. */
  routes: [...lessonAnswerRoutes, ...lessonPaperRoutes, ...lessonReadRoutes, ...lessonChangeRoutes],
  personalData: [lessonsSection],
  audited: auditedLessons,
  explainers: [recipientExplainer],
  sessionAnswers: answersOfLessons,
  lateAnswers: answersOfDelivered,
  sessionMinutes: plannedMinutes,
  sessionTargets: targetsOfLessons,
  reportKinds: [lessonPdf],
  texts: [paperTexts],
};
