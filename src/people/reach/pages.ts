// What every list of people, schools and classes is asked with.
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

export const defaultLimit = 25;
