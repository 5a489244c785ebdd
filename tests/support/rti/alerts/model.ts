// A model of the alert machine from the contract's tables alone (51 §4.3), to compare stored alerts with.

export type Kind = 'acute_regression_review' | 'Intensive_Review' | 'Student_Alert' | 'tier_review_due' | 'Skill_Alert';

export interface Facts {
  readonly halt: boolean;
  readonly acuteSkill: string | null;
  readonly tier: number;
  readonly weeksInTier: number;
  readonly reviewWeeks: number;
  readonly deliveredWeeks: number;
  readonly gate: string;
  readonly progress: string;
  readonly broadCount: number;
  readonly strongCount: number;
  readonly severeTile: boolean;
  readonly skillHits: readonly string[];
}

export interface ModelAlert {
  readonly n: number;
  readonly kind: Kind;
  readonly skill: string | null;
  state: 'open' | 'dismissed' | 'closed';
  /** Days are numbers, independent of any calendar. */
  expiresOn: number | null;
  closedOn: number | null;
  reason: string | null;
  decision: string | null;
}

const severity: Readonly<Record<Kind, number>> = {
  acute_regression_review: 5,
  Intensive_Review: 4,
  Student_Alert: 3,
  tier_review_due: 2,
  Skill_Alert: 1,
};

export class AlertModel {
  readonly alerts: ModelAlert[] = [];

  get open(): ModelAlert | undefined {
    return this.alerts.find(({ state }) => state === 'open');
  }

  evaluate(facts: Facts, today: number): void {
    if (facts.halt) return;
    this.#expire(facts, today);
    const candidate = this.#candidate(facts, today);
    const open = this.open;
    if (!open) {
      if (candidate) this.#opens(candidate);
    } else if (candidate && severity[candidate.kind] > severity[open.kind]) {
      close(open, 'superseded_by_more_severe', today);
      this.#opens(candidate);
    } else if ((open.kind === 'Skill_Alert' || open.kind === 'Student_Alert') && !ownRule(open, facts)) {
      close(open, 'condition_cleared', today);
      if (candidate) this.#opens(candidate);
    }
  }

  acknowledge(alert: ModelAlert): string {
    return alert.state === 'open' ? 'ok' : 'invalid_transition';
  }

  dismiss(alert: ModelAlert, today: number): string {
    if (alert.state !== 'open') return 'invalid_transition';
    if (severity[alert.kind] >= 4) return 'not_dismissible';
    alert.state = 'dismissed';
    alert.expiresOn = today + 14;
    return 'ok';
  }

  /** A commit without a packet and without a movement. */
  decide(decision: 'maintain' | 'defer', today: number): void {
    const open = this.open;
    if (!open || severity[open.kind] >= 4) return;
    close(open, 'decision_committed', today);
    open.decision = decision;
  }

  leave(today: number): void {
    for (const alert of this.alerts.filter(({ state }) => state !== 'closed')) close(alert, 'student_left', today);
  }

  /** ALT-09 to ALT-11. */
  #expire(facts: Facts, today: number): void {
    const due = this.alerts.filter(
      ({ state, expiresOn }) => state === 'dismissed' && expiresOn !== null && today >= expiresOn,
    );
    for (const alert of due.sort((a, b) => (a.expiresOn ?? 0) - (b.expiresOn ?? 0) || a.n - b.n)) {
      if (!ownRule(alert, facts)) close(alert, 'condition_cleared', today);
      else if (this.open) close(alert, 'superseded_by_more_severe', today);
      else Object.assign(alert, { state: 'open', expiresOn: null });
    }
  }

  #candidate(facts: Facts, today: number): { kind: Kind; skill: string | null } | undefined {
    const { acuteSkill, skillHits } = facts;
    if (acuteSkill !== null) return { kind: 'acute_regression_review', skill: acuteSkill };
    for (const kind of ['Intensive_Review', 'Student_Alert', 'tier_review_due'] as const) {
      // The order of the table is RAL-03, 04, 05, 06: both rules of Student_Alert precede tier_review_due.
      if (ownRule({ kind, skill: null }, facts) && !this.#isQuiet(kind, null, today)) return { kind, skill: null };
    }
    const skill = skillHits.find((code) => !this.#isQuiet('Skill_Alert', code, today));
    return skill === undefined ? undefined : { kind: 'Skill_Alert', skill };
  }

  #isQuiet(kind: Kind, skill: string | null, today: number): boolean {
    return this.alerts.some((alert) => {
      if (alert.kind !== kind || alert.skill !== skill) return false;
      if (alert.state === 'dismissed') return today < (alert.expiresOn ?? 0);
      return alert.decision !== null && today - (alert.closedOn ?? 0) < 28;
    });
  }

  #opens({ kind, skill }: { kind: Kind; skill: string | null }): void {
    const nothing = { expiresOn: null, closedOn: null, reason: null, decision: null };
    this.alerts.push({ n: this.alerts.length + 1, kind, skill, state: 'open', ...nothing });
  }
}

function close(alert: ModelAlert, reason: string, today: number): void {
  Object.assign(alert, { state: 'closed', expiresOn: null, closedOn: today, reason });
}

function ownRule({ kind, skill }: Pick<ModelAlert, 'kind' | 'skill'>, facts: Facts): boolean {
  const { tier, weeksInTier, reviewWeeks, deliveredWeeks, gate, progress } = facts;
  const isBelow = tier >= 2 && gate === 'pass' && progress === 'below';
  switch (kind) {
    case 'acute_regression_review':
      return facts.acuteSkill !== null;
    case 'Intensive_Review':
      return isBelow && weeksInTier >= 6;
    case 'Student_Alert':
      return (
        (tier === 1 && (facts.broadCount >= 1 || facts.strongCount >= 2 || facts.severeTile)) ||
        (isBelow && deliveredWeeks >= 4)
      );
    case 'tier_review_due':
      return (tier === 2 && reviewWeeks >= 8) || (tier === 3 && reviewWeeks >= 6);
    case 'Skill_Alert':
      return skill === null ? facts.skillHits.length > 0 : facts.skillHits.includes(skill);
  }
}
