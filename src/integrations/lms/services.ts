// The services that roster imports add to those of every handler.
import type { HttpClient } from './http-client/http-client.ts';

declare module '#core/module/services.ts' {
  interface Services {
    /** The HTTP client for learning platforms. */
    readonly lmsClient: HttpClient;
  }
}
