// The lesson of a participating student. For other callers and excluded students it is NOT_FOUND.
import type { AppScope } from '#core/module/route.ts';
import { notFound } from '#core/platform/errors.ts';
import { LessonRow } from '../rows/store.ts';

export const ownLessonOfRecipient: AppScope<LessonRow> = {
  reach: 'included recipient',
  resolve: async ({ trx, actor, params: { id = '' } }) => {
    const { organizationId, userId: studentId, isDemo } = actor;
    if (organizationId === null) throw notFound();
    const row = await LessonRow.query(trx)
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
