// What a printed packet says in Arabic for the closed words of packets and their evidence. Names of sub-skills,
// reviews, gates and reasons come from rule documents.
import type { PacketStatus, TierDecision } from '../../rti/index.ts';
import type { EvidenceType } from '../evidence/types.ts';

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

/** Why there is or is not enough to decide on. */
export const sufficiencyWords: Readonly<Record<string, string>> = {
  DATA_INCOMPLETE: 'البيانات غير مكتملة',
  CONTEXT_ACTIVE: 'ظرف يُراجَع أولًا',
  LOW_FIDELITY: 'ما نُفّذ من الخطة قليل',
  NO_DELIVERY: 'لا تنفيذ بعد',
  TOO_FEW_WEEKS: 'الأسابيع قليلة',
  TOO_FEW_POINTS: 'القياسات قليلة',
  NONE: 'البيانات كافية',
};

/** Words that evidence says; a word that is not here is printed as it is stored. */
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

/** Headings and labels. */
export const labels = {
  title: 'ملف قرار',
  student: 'رقم الطالب',
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
  reason: 'السبب',
  delivered: 'المنفذ من المخطط',
  gates: 'شروط الاعتماد',
  holds: 'متحقق',
  fails: 'غير متحقق',
  decision: 'القرار',
  code: 'الرمز المختار',
  until: 'مؤجل حتى',
  closed: 'تاريخ الإغلاق',
  evidence: 'الأدلة',
  date: 'التاريخ',
  kind: 'النوع',
  about: 'الموضوع',
  says: 'النتيجة',
  count: 'عدد الأدلة',
  none: 'لا أدلة في هذا الملف',
  older: 'أدلة أقدم محسوبة في البصمة',
} as const;
