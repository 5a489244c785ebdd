// The capability value of the data room and of decision packets.
import { type Capability, mergeJobs } from '#core/module/capability.ts';
import { auditedPackets } from './audited.ts';
import { classWeekRoutes } from './class-week/routes.ts';
import { dataRoomRoutes } from './data-room/routes.ts';
import { packetTexts } from './document/texts.ts';
import { packetStageCame } from './events.ts';
import { evidenceRoutes } from './evidence/routes.ts';
import { packetExplainer } from './explain/explainer.ts';
import { packetNotices } from './notices.ts';
import { overdueRoutes } from './overdue/routes.ts';
import { packetJobs } from './packets/jobs.ts';
import { packetRoutes } from './packets/routes.ts';
import { packetsSection } from './personal-data.ts';
import { newestAssemblyOf } from './rows/newest-assembly.ts';

export const decisionPacketsCapability: Capability = {
  name: 'decision-packets',
  windowEndReaders: [newestAssemblyOf],
  routes: [...dataRoomRoutes, ...evidenceRoutes, ...packetRoutes, ...overdueRoutes, ...classWeekRoutes],
  events: [packetStageCame],
  ...mergeJobs([packetJobs, { reactions: packetNotices }]),
  personalData: [packetsSection],
  audited: auditedPackets,
  rollOverGuard: {
    decisions: [
      `select student_id from decision_packet where organization_id = :organizationId
         and student_id = any(:studentIds::bigint[]) and status = 'approved' and closed_at >= :since::timestamptz`,
    ],
  },
  explainers: [packetExplainer],
  texts: [packetTexts],
};
