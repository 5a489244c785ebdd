/** A document that is written as an example. */
export interface Sample {
  /** Of its file. */
  readonly name: string;
  /** The same bytes each time. */
  readonly make: () => Promise<Buffer>;
}
