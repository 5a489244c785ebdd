// Findings of a check as rows of the alert log.
import { openAlerts } from '#core/module/alerts.ts';
import type { Services } from '#core/module/services.ts';
import { inContext } from '#core/platform/db.ts';
import { storedOrganization } from '#core/platform/pure/platform-organization.ts';
import type { QaCheck } from '../checks/read-checks.ts';
import type { ProbeFinding } from '../probes/probe.ts';

export async function recordFindings(
  { db, clock }: Services,
  { qaCheckId, severity, subject, titleEn }: QaCheck,
  findings: readonly ProbeFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  await inContext(db, 'SUPER', async (trx) => {
    const at = clock.now();
    const kind = { kind: 'qa', code: qaCheckId, severity, subject, summary: titleEn } as const;
    await openAlerts(
      trx,
      kind,
      findings.map(({ organizationId, id, studentId }) => ({
        organizationId: storedOrganization(organizationId),
        subjectId: id,
        details: {},
        at,
        about: { studentId },
      })),
    );
  });
}
