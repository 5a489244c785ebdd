// From the first import on, work that must not run inside a transaction throws there.
import { AsyncLocalStorage } from 'node:async_hooks';
import { watchTransactions } from '#core/platform/transactions/outside.ts';

watchTransactions(new AsyncLocalStorage());
