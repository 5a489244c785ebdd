// What people do with blueprint sessions, for whoever stands in for them.

export { accept, distribute, isOnline } from './changes/accept.ts';
export { createSession } from './changes/create.ts';
export { editSession } from './changes/edit.ts';
export { recommendedFor } from './reads/recommended.ts';
