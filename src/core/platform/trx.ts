// The types of a connection pool and of a transaction, apart from the code that makes them.
import type { Knex } from 'knex';

export type Db = Knex;
export type Trx = Knex.Transaction;
