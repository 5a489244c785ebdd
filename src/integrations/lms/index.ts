// The public API of roster imports.
import './services.ts';

export { lmsCapability } from './capability.ts';
export { createHttpClient, type HttpClientOptions } from './http-client/http-client.ts';
