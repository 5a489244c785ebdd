// The configuration of a process, read from the environment by `readConfig`.

export interface Config {
  readonly nodeEnv: string;
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** Address of liveness, readiness and metrics beside the API; without `port` they are not served. */
  readonly operations: { readonly host: string; readonly port: number | undefined };
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseAppUrl: string | undefined;
  /** Set if `databaseAppUrl` leads to a pooler in transaction mode: the direct connection for LISTEN and the queue. */
  readonly databaseListenUrl: string | undefined;
  /** Connections shared by the requests and jobs of this process. */
  readonly dbPoolSize: number;
  readonly redisUrl: string | undefined;
  /** MiB that the newest runs of students may take in the memory of this process, for live impacts. */
  readonly liveIndexMb: number;
  readonly seedDemo: boolean;
  /** Password of the demo logins in production, where none is built in. */
  readonly demoPassword: string | undefined;
  readonly bootstrapToken: string | undefined;
  readonly frontendUrl: string | undefined;
  /** The public address of the service, without a trailing slash; never taken from `Host`. */
  readonly publicUrl: string | undefined;
  /** The age in hours that an account needs before its first approval of a rule; 0 = none. */
  readonly approverWaitHours: number;
  /** Number of trusted proxies in front of the service; 0 = the socket's address is the client's. */
  readonly trustProxy: number;
  readonly tokenSigningKey: string | undefined;
  readonly tokenEncryptionKey: string | undefined;
  readonly ipHashSalt: string | undefined;
  readonly google: {
    readonly issuer: string;
    readonly clientId: string | undefined;
    readonly clientSecret: string | undefined;
    /** Base URL of the Classroom API, without a trailing slash. */
    readonly classroomUrl: string;
  };
  readonly lms: {
    readonly guardianImport: boolean;
    /** Hosts as `host:port` in lower case that may use plain HTTP and need no public address. */
    readonly trustedHosts: ReadonlySet<string>;
    readonly requestTimeoutMs: number;
  };
  readonly logLevel: string;
  /** URL that is called with the ids of critical and high alerts. */
  readonly qaWebhookUrl: string | undefined;
  readonly rateLimitUserPerMinute: number;
  readonly rateLimitIpPerMinute: number;
  readonly clockOffsetFile: string | undefined;
  readonly workers: 'embedded' | 'none';
}
