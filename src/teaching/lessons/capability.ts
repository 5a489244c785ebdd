// What blueprint sessions bring to the service.
import type { Capability } from '#core/module/capability.ts';
import { answersOfDelivered } from './answers/analysable.ts';
import { sessionAnswers } from './answers/routes.ts';
import { answersOfSessions } from './answers/supported.ts';
import { auditedSessions } from './audited.ts';
import { sessionChanges } from './changes/routes.ts';
import { plannedMinutes } from './content/minutes.ts';
import { recipientExplainer } from './explain/explainer.ts';
import { sessionPdf } from './papers/kind.ts';
import { paperTexts } from './papers/pages/labels.ts';
import { sessionPapers } from './papers/routes.ts';
import { sessionsSection } from './personal-data.ts';
import { sessionReads } from './reads/routes.ts';

export const sessionsCapability: Capability = {
  name: 'sessions',
  /** Words of addresses before ids. */
  routes: [...sessionAnswers, ...sessionPapers, ...sessionReads, ...sessionChanges],
  personalData: [sessionsSection],
  audited: auditedSessions,
  explainers: [recipientExplainer],
  sessionAnswers: answersOfSessions,
  lateAnswers: answersOfDelivered,
  sessionMinutes: plannedMinutes,
  reportKinds: [sessionPdf],
  texts: [paperTexts],
};
