// Moved to the platform.
export * from '../platform/sql.ts';
