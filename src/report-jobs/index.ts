// What other capabilities may use of report jobs.
import './services.ts';

export { reportJobsCapability } from './capability.ts';
export { fileUrlOf } from './reads/present.ts';
export { ReportStateName } from './reads/schemas.ts';
export { requestReport } from './rows/request.ts';
export { type KnownReport, ReportJob, reportsWithFiles, stateAt } from './rows/store.ts';
export { type PreparedReport, type ReportKind, ReportRefusal } from './services.ts';
