// The models of the growth ledgers.
import { modelOf } from '#core/platform/model.ts';
import type { BadgeRow, CelebrationRow, MasteryEventRow, RescindRow, XpRow } from './rows.ts';

export const MasteryEvent = modelOf<MasteryEventRow>('mastery_event', { id: ['organizationId', 'id', 'schoolYear'] });

export const XpTransaction = modelOf<XpRow>('xp_transaction', { id: ['organizationId', 'id', 'schoolYear'] });

export const StudentBadge = modelOf<BadgeRow>('student_badge', { id: ['organizationId', 'id', 'schoolYear'] });

export const StudentBadgeRescind = modelOf<RescindRow>('student_badge_rescind', {
  id: ['organizationId', 'id', 'schoolYear'],
});

export const RewardCelebration = modelOf<CelebrationRow>('reward_celebration', { id: ['organizationId', 'id'] });
