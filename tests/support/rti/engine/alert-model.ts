// A model of the alert machine that follows contract 51 §4.3 line by line, slow, simple, and without a rule document.
import { daysAfter } from '#core/platform/pure/dates/days.ts';
import type { AlertFacts } from '#support/rti/engine/alerts/alert.ts';
import type { RtiAlertKind, TierDecision } from '#support/rti/engine/vocabulary.ts';

export interface ModelAlert {
  readonly n: number;
  readonly kind: RtiAlertKind;
  readonly skill: string | null;
  state: 'open' | 'dismissed' | 'closed';
  expiresOn: string | null;
  closedOn: string | null;
  closeReason: string | null;
  decidedBy: TierDecision | null;
}

export const severity: Readonly<Record<RtiAlertKind, number>> = {
  acute_regression_review: 5,
  Intensive_Review: 4,
  Student_Alert: 3,
  tier_review_due: 2,
  Skill_Alert: 1,
};

/** The rules of each kind regardless of quiet: RAL-02; 03; 04 and 05; 06; 07. */
function own(kind: RtiAlertKind, f: AlertFacts, skill: string | null): boolean {
  const isFailing = f.tier >= 2 && f.gate === 'pass' && f.progress === 'below';
  switch (kind) {
    case 'acute_regression_review':
      return f.acuteDrop !== null || f.acuteCbm !== null;
    case 'Intensive_Review':
      return isFailing && f.weeksInTier >= 6;
    case 'Student_Alert':
      return (
        (f.tier === 1 && (f.broadCount >= 1 || f.strongCount >= 2 || f.severeTile)) ||
        (isFailing && f.deliveredWeeks >= 4)
      );
    case 'tier_review_due':
      return (f.tier === 2 && f.reviewWeeks >= 8) || (f.tier === 3 && f.reviewWeeks >= 6);
    case 'Skill_Alert':
      return f.skillHits.some((code) => code === skill);
  }
}

export class AlertModel {
  readonly alerts: ModelAlert[] = [];

  openAlert(): ModelAlert | undefined {
    return this.alerts.find(({ state }) => state === 'open');
  }

  /** Returns the suppressed kind, or the halt. */
  evaluate(f: AlertFacts, today: string): 'halt' | RtiAlertKind | null {
    if (f.dndy || f.dataIncomplete) return 'halt';
    this.expire(f, today);
    const candidate = this.candidate(f, today);
    const open = this.openAlert();
    if (open && candidate && severity[candidate.kind] > severity[open.kind]) {
      this.close(open, 'superseded_by_more_severe', today);
      this.add(candidate.kind, candidate.skill);
      return null;
    }
    const isCleared =
      open && (open.kind === 'Skill_Alert' || open.kind === 'Student_Alert') && !own(open.kind, f, open.skill);
    if (open && !isCleared) return candidate?.kind ?? null;
    if (open) this.close(open, 'condition_cleared', today);
    if (candidate) this.add(candidate.kind, candidate.skill);
    return null;
  }

  private expire(f: AlertFacts, today: string): void {
    const due = this.alerts.filter(({ state, expiresOn }) => state === 'dismissed' && today >= (expiresOn ?? ''));
    due.sort((a, b) => ((a.expiresOn ?? '') < (b.expiresOn ?? '') ? -1 : a.expiresOn === b.expiresOn ? a.n - b.n : 1));
    for (const alert of due) {
      if (!own(alert.kind, f, alert.skill)) this.close(alert, 'condition_cleared', today);
      else if (this.openAlert()) this.close(alert, 'superseded_by_more_severe', today);
      else Object.assign(alert, { state: 'open', expiresOn: null });
    }
  }

  private candidate(f: AlertFacts, today: string): { kind: RtiAlertKind; skill: string | null } | null {
    if (own('acute_regression_review', f, null)) {
      return { kind: 'acute_regression_review', skill: f.acuteDrop?.subSkillCode ?? null };
    }
    for (const kind of ['Intensive_Review', 'Student_Alert', 'tier_review_due'] as const) {
      if (own(kind, f, null) && !this.isQuiet(kind, null, today)) return { kind, skill: null };
    }
    const skill = f.skillHits.find((code) => !this.isQuiet('Skill_Alert', code, today));
    return skill === undefined ? null : { kind: 'Skill_Alert', skill };
  }

  isQuiet(kind: RtiAlertKind, skill: string | null, today: string): boolean {
    const same = this.alerts.filter((one) => one.kind === kind && (kind !== 'Skill_Alert' || one.skill === skill));
    return same.some(
      (one) =>
        (one.state === 'dismissed' && today < (one.expiresOn ?? '')) ||
        ((one.decidedBy === 'maintain' || one.decidedBy === 'defer') && today < daysAfter(one.closedOn ?? '', 28)),
    );
  }

  dismiss(n: number, today: string): string {
    const alert = this.alerts[n - 1];
    if (alert?.state !== 'open') return 'invalid_transition';
    if (severity[alert.kind] >= 4) return 'not_dismissible';
    Object.assign(alert, { state: 'dismissed', expiresOn: daysAfter(today, 14) });
    return 'ok';
  }

  /** The table below §4.3: which decision closes which kind. */
  decide(decision: TierDecision, packet: string | null, today: string): void {
    const open = this.openAlert();
    if (!open) return;
    const moves = decision === 'escalate' || decision === 'de_escalate';
    const byPacket = packet !== null && decision === 'maintain';
    const closes =
      moves ||
      (packet === null && severity[open.kind] <= 3) ||
      (byPacket && severity[open.kind] <= 4) ||
      (byPacket && packet === 'acute_regression');
    if (!closes) return;
    open.decidedBy = decision;
    this.close(open, 'decision_committed', today);
  }

  private close(alert: ModelAlert, closeReason: string, today: string): void {
    Object.assign(alert, { state: 'closed', expiresOn: null, closedOn: today, closeReason });
  }

  private add(kind: RtiAlertKind, skill: string | null): void {
    const unclosed = { expiresOn: null, closedOn: null, closeReason: null, decidedBy: null };
    this.alerts.push({ n: this.alerts.length + 1, kind, skill, state: 'open', ...unclosed });
  }
}
