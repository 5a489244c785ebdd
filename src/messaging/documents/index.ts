// What other capabilities may use of report jobs.
import './services.ts';

export { reportJobsCapability } from './capability.ts';
export { reportFileAnswer } from './reads/file-answer.ts';
export { fileUrlOf } from './reads/present.ts';
export { ReportFailureCode, ReportFileBytes, ReportProgress, ReportStateName } from './reads/schemas.ts';
export { requestReport } from './rows/request.ts';
export { type KnownReport, ReportJob, reportStateAt, reportsWithFiles } from './rows/store.ts';
export { type NoteProgress, type PreparedReport, type ReportKind, ReportRefusal, reportKinds } from './services.ts';
