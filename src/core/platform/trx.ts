// The types of a connection pool and of a transaction.
import type { Knex } from 'knex';

export type Db = Knex;
export type Trx = Knex.Transaction;
