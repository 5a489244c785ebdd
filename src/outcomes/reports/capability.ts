// The reports capability: reports on students and classes, and PDF reports for classes and boards.
import type { Capability } from '#core/module/capability.ts';
import { bandRoutes } from './bands/routes.ts';
import { classReportRoutes } from './classes/routes.ts';
import { boardReport } from './jobs/board-report.ts';
import { classReport } from './jobs/class-report.ts';
import { reportPdfRoutes } from './jobs/routes.ts';
import { reportTexts } from './pages/labels.ts';
import { studentReportRoutes } from './students/routes.ts';

export const reportsCapability: Capability = {
  name: 'reports',
  routes: [...bandRoutes, ...studentReportRoutes, ...classReportRoutes, ...reportPdfRoutes],
  reportKinds: [classReport, boardReport],
  texts: [reportTexts],
};
