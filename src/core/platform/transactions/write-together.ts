// What a transaction sends without waiting in between goes to the socket in one write: each write is a call of the system
// and wakes the database once more.

interface Connection {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** How knex sends a statement of a transaction; replaced for this one. */
export interface Sender {
  _query(connection: Connection, statement: unknown): Promise<unknown>;
}

export function writeTogether(sender: Sender): void {
  const send = sender._query.bind(sender);
  sender._query = (connection, statement) => {
    const { stream } = connection.connection;
    stream.cork();
    // All that follows from promises that are settled comes before the next tick; nothing is waited for.
    process.nextTick(() => stream.uncork());
    return send(connection, statement);
  };
}
