// Enums of narratives.
import { seasons } from '#rules/catalogue/index.ts';
import { type ProfileCode, profileCodes } from '../engine/vocabulary.ts';

/** There is no narrative for missing data; families read the text of the halt instead. */
export type NarratedProfile = Exclude<ProfileCode, 'DATA_INCOMPLETE'>;
export const narratedProfiles = profileCodes.filter((code): code is NarratedProfile => code !== 'DATA_INCOMPLETE');

export const audiences = ['teacher', 'parent'] as const;
export type Audience = (typeof audiences)[number];

/** `ANY` is used when there is no text for the season. */
export const narrativeWindows = [...seasons, 'ANY'] as const;
export type NarrativeWindow = (typeof narrativeWindows)[number];

export const narrativeStates = ['pending_review', 'approved', 'rejected', 'superseded'] as const;
export type NarrativeState = (typeof narrativeStates)[number];

/** The scope of the reason codes. */
export const rejectionScope = 'narrative_rejection';
