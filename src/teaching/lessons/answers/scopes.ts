// The session that a student takes part in: for everyone else, and where the student is excluded, it is not there.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { SessionRow } from '../rows/store.ts';

export const ownSessionOfRecipient: AppScope<SessionRow> = {
  reach: 'included recipient',
  resolve: async ({ trx, actor, params: { id = '' } }) => {
    const { organizationId, userId: studentId, isDemo } = actor;
    if (organizationId === null) throw notFound();
    const row = await SessionRow.query(trx)
      .findOne({ 'teaching_session.organizationId': organizationId, 'teaching_session.id': id })
      .whereExists(
        trx('session_recipient as r')
          .select(trx.raw('1'))
          .where({ 'r.organizationId': organizationId, 'r.sessionId': id, 'r.studentId': studentId })
          .where({ 'r.state': 'included' }),
      );
    if (!row) throw notFound();
    return { row, organization: { id: organizationId, isDemo } };
  },
};
