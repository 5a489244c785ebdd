/** A sample document. */
export interface Sample {
  /** The name of its file. */
  readonly name: string;
  /** Returns the document, with the same bytes each time. */
  readonly make: () => Promise<Buffer>;
}
