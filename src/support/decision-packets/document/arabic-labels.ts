// Arabic labels of a printed packet for the enums of packets and evidence. Names of sub-skills, reviews, gates and reasons come
// from rule documents.
import type { GoalState } from '../../interventions/index.ts';
import type { PacketStatus, TierDecision } from '../../rti/index.ts';
import type { EvidenceType } from '../evidence/types.ts';
import type { PacketSeries } from '../rows/figures.ts';

export const statusWords: Readonly<Record<PacketStatus, string>> = {
  draft: 'مسودة',
  under_review: 'قيد المراجعة',
  deferred: 'مؤجل',
  approved: 'معتمد',
  rejected: 'مرفوض',
};

export const decisionWords: Readonly<Record<TierDecision, string>> = {
  escalate: 'زيادة الدعم',
  de_escalate: 'تخفيف الدعم',
  maintain: 'الإبقاء على المستوى',
  defer: 'تأجيل القرار',
};

export const evidenceWords: Readonly<Record<EvidenceType, string>> = {
  sse_snapshot: 'حالة مهارة',
  domain_status: 'حالة مجال',
  cbm_trend: 'اتجاه الطلاقة',
  cbm_probe: 'قياس طلاقة',
  fidelity_snapshot: 'تنفيذ الخطة',
  assignment: 'خطة دعم',
  step_goal: 'هدف خطوة',
  alert: 'تنبيه',
  tier_movement: 'انتقال بين المستويات',
  skill_state: 'مسار مهارة',
  context_flag: 'ظرف',
  observation: 'ملاحظة في جلسة',
};

/** Why the evidence is or is not sufficient. */
export const sufficiencyWords: Readonly<Record<string, string>> = {
  DATA_INCOMPLETE: 'البيانات غير مكتملة',
  CONTEXT_ACTIVE: 'ظرف يُراجَع أولًا',
  LOW_FIDELITY: 'ما نُفّذ من الخطة قليل',
  NO_DELIVERY: 'لا تنفيذ بعد',
  TOO_FEW_WEEKS: 'الأسابيع قليلة',
  TOO_FEW_POINTS: 'القياسات قليلة',
  NONE: 'البيانات كافية',
};

/** Values of evidence; a value that is missing here is printed as stored. */
export const valueWords: Readonly<Record<string, string>> = {
  adequate: 'ملائم',
  monitor: 'متابعة',
  monitor_gateway: 'متابعة مهارة محورية',
  cautionary_weakness_with_metadata: 'نتيجة تُقرأ بحذر',
  contextual_review: 'مراجعة السياق أولًا',
  weak_isolated: 'حاجة منفردة',
  weak_domain_related: 'حاجة في المجال',
  weak_gateway: 'حاجة في مهارة محورية',
  broad_weakness_related: 'حاجة واسعة عبر المجالات',
  do_not_decide_yet: 'لا يُحكم بعد',
  not_assessed: 'لم تُقس بعد',
  insufficient_points: 'القياسات قليلة',
  trend_above_goal: 'على خط الهدف أو فوقه',
  trend_below_goal: 'دون خط الهدف',
  trend_mixed: 'حول خط الهدف',
  baseline: 'قياس بداية',
  monitoring: 'متابعة',
  outside_window: 'خارج فترة المتابعة',
  not_comparable: 'غير قابل للمقارنة',
  scheduled: 'لم تبدأ بعد',
  active: 'جارية',
  paused: 'متوقفة مؤقتًا',
  completed: 'مكتملة',
  stopped: 'أُوقفت',
  superseded: 'حلّت محلها خطة أخرى',
  met: 'تحقق',
  not_met: 'لم يتحقق',
  acute_regression_review: 'مراجعة تراجع حديث',
  Intensive_Review: 'مراجعة مكثفة',
  Student_Alert: 'تنبيه طالب',
  tier_review_due: 'موعد مراجعة المستوى',
  Skill_Alert: 'تنبيه مهارة',
  on_track: 'كما هو متوقع',
  maintenance: 'محافظة',
  pass: 'نُفّذ بقدر كاف',
  fail: 'التنفيذ غير كاف',
  not_applicable: 'لا ينطبق',
};

/** Whether a step has reached its goal. */
export const goalWords: Readonly<Record<GoalState, string>> = {
  none: 'بلا هدف',
  pending: 'قيد العمل',
  met: 'تحقق',
  not_met: 'لم يتحقق',
};

/** The part of a probe in its series. */
export const probeWords: Readonly<Record<PacketSeries['points'][number]['role'], string>> = {
  baseline: 'قياس بداية',
  monitoring: 'متابعة',
  outside_window: 'خارج فترة المتابعة',
  not_comparable: 'غير قابل للمقارنة',
};

/** The sessions of a step; a role of a later catalogue is printed as its code. */
export const sessionRoleWords: Readonly<Record<string, string>> = {
  EXPLICIT_TEACHING: 'تعليم صريح',
  GUIDED_PRACTICE: 'تدريب موجه',
  RETRIEVAL_REVIEW: 'استرجاع ومراجعة',
  CONTEXT_APPLICATION: 'تطبيق في سياق',
  GRADE_TARGET_BRIDGE: 'ربط بهدف الصف',
  SCAFFOLD_FADING: 'تخفيف المساندة',
  NEAR_TRANSFER: 'نقل إلى مهام قريبة',
  PROGRESS_CHECK: 'تحقق من التقدم',
  MAINTENANCE: 'محافظة',
};

/** Headings and labels. */
export const packetLabels = {
  title: 'ملف قرار',
  page: 'صفحة {page} من {pages}',
  rules: 'نسخ القواعد',
  confidential: 'سري',
  student: 'رقم الطالب',
  noName: 'حُذف الاسم',
  packet: 'رقم الملف',
  review: 'نوع المراجعة',
  status: 'الحالة',
  opened: 'تاريخ الفتح',
  assembled: 'تاريخ التجميع',
  since: 'الأدلة منذ',
  tier: 'مستوى الدعم',
  from: 'من',
  to: 'إلى',
  hash: 'بصمة الأدلة',
  recommendation: 'التوصية',
  recommended: 'القرار المقترح',
  toTier: 'إلى المستوى',
  rule: 'القاعدة',
  reason: 'كفاية البيانات',
  delivered: 'المنفذ من المخطط',
  gates: 'شروط الاعتماد',
  holds: 'متحقق',
  fails: 'غير متحقق',
  notAsked: 'لا يُشترط لهذا القرار',
  decision: 'القرار',
  code: 'الرمز المختار',
  until: 'مؤجل حتى',
  closed: 'تاريخ الإغلاق',
  reasons: 'أسباب التوصية',
  otherRule: 'قاعدة من نسخة أخرى من القواعد',
  measure: 'القياس المتكرر وخط الهدف',
  unit: 'كلمات صحيحة في الدقيقة. الأقدم في اليمين.',
  noMeasure: 'لا قياس متكرر للمجال الذي تُتابَع فيه الاستجابة للدعم.',
  noProbes: 'لا قياس متكرر في هذا العام الدراسي بعد.',
  baseline: 'خط البداية',
  goal: 'الهدف',
  trend: 'الاتجاه',
  ofBaseline: 'قياس بداية',
  ofMonitoring: 'قياس متابعة',
  ofOthers: 'قياس لا يُحسب',
  ofAim: 'خط الهدف',
  words: 'كلمات صحيحة في الدقيقة',
  aim: 'خط الهدف',
  probe: 'نوع القياس',
  plans: 'الخطط القائمة',
  noPlans: 'لا خطة قائمة',
  started: 'تاريخ البدء',
  stepNo: 'رقم الخطوة',
  step: 'الخطوة',
  sessions: 'ما نُفّذ من الجلسات',
  stepGoal: 'الهدف',
  current: 'الخطوة الحالية',
  evidence: 'الأدلة',
  date: 'التاريخ',
  kind: 'النوع',
  about: 'الموضوع',
  says: 'النتيجة',
  count: 'عدد الأدلة',
  none: 'لا أدلة في هذا الملف',
  older: 'أدلة أقدم محسوبة في البصمة',
  signatures: 'التوقيعات',
  openedBy: 'من أعد الملف',
  decidedBy: 'من اتخذ القرار',
  member: 'عضو في الاجتماع',
  name: 'الاسم',
  signature: 'التوقيع',
  signedOn: 'التاريخ',
} as const;
