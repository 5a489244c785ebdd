// The tables in which measurement stores personal data of students.
import type { PersonalDataSection } from '#identity/people/index.ts';

const ofSession = { parent: 'diagnostic_session', parentKey: 'id', key: 'sessionId' } as const;

const diagnosticsSection: PersonalDataSection = {
  name: 'diagnostics',
  tables: [
    { table: 'diagnostic_session', student: 'studentId' },
    { table: 'diagnostic_served_item', ...ofSession },
    { table: 'diagnostic_response', ...ofSession },
    { table: 'diagnostic_event', ...ofSession },
    { table: 'diagnostic_estimate', ...ofSession },
  ],
};

const ofQueue = { parent: 'practice_queue', parentKey: 'id', key: 'queueId' } as const;

const practiceSection: PersonalDataSection = {
  name: 'practice',
  tables: [
    { table: 'practice_queue', student: 'studentId' },
    { table: 'practice_served_item', ...ofQueue },
    { table: 'practice_response', ...ofQueue },
  ],
};

const ofWarmup = { parent: 'warmup_session', parentKey: 'id', key: 'sessionId' } as const;

const warmupSection: PersonalDataSection = {
  name: 'warmup',
  tables: [
    { table: 'warmup_session', student: 'studentId' },
    { table: 'warmup_item', ...ofWarmup },
    { table: 'warmup_event', ...ofWarmup },
  ],
};

const ofReading = { parent: 'orf_assessment', parentKey: 'id', key: 'assessmentId' } as const;

const fluencySection: PersonalDataSection = {
  name: 'fluency',
  tables: [
    { table: 'orf_assessment', student: 'studentId' },
    { table: 'orf_mark', ...ofReading },
    { table: 'cbm_probe', student: 'studentId' },
    { table: 'cbm_trend', student: 'studentId' },
    { table: 'cbm_alert', student: 'studentId' },
  ],
};

const correctionsSection: PersonalDataSection = {
  name: 'evidenceCorrections',
  tables: [
    { table: 'evidence_void', student: 'studentId' },
    { table: 'student_merge', student: 'studentId' },
  ],
};

export const measurementPersonalData = [
  diagnosticsSection,
  practiceSection,
  warmupSection,
  fluencySection,
  correctionsSection,
];
