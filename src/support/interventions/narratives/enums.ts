// The closed words of narratives, as they are stored and answered.
import { seasons } from '#rules/catalogue/index.ts';
import { type ProfileCode, profileCodes } from '../engine/vocabulary.ts';

/** Without data there is nothing to tell of a profile: families read the words of the halt instead. */
export type NarratedProfile = Exclude<ProfileCode, 'DATA_INCOMPLETE'>;
export const narratedProfiles = profileCodes.filter((code): code is NarratedProfile => code !== 'DATA_INCOMPLETE');

export const audiences = ['teacher', 'parent'] as const;
export type Audience = (typeof audiences)[number];

/** `ANY` speaks where no text was written for the season. */
export const narrativeWindows = [...seasons, 'ANY'] as const;
export type NarrativeWindow = (typeof narrativeWindows)[number];

export const narrativeStates = ['pending_review', 'approved', 'rejected', 'superseded'] as const;
export type NarrativeState = (typeof narrativeStates)[number];

/** Of reason codes. */
export const rejectionScope = 'narrative_rejection';
