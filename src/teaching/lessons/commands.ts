// The commands on lessons for the demo data (`src/app/demo`), which acts in place of teachers.

export { accept, distribute, isOnline } from './changes/accept.ts';
export { createLesson } from './changes/create.ts';
export { editLesson } from './changes/edit.ts';
export { recommendedFor } from './reads/recommended.ts';
