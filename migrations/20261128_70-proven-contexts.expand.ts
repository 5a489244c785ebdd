// A transaction proves the organization that it names. Requests and jobs cannot read the key of the proof. A name
// without proof is accepted until the last process of the previous release has ended (20261128_71).
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { backofficeTable } from './sql/tables.ts';

/** The two blocks of HMAC-SHA256 (RFC 2104): the key, padded to 64 bytes, XORed with one byte each. */
const blockBytes = 64;
const [innerByte, outerByte] = [0x36, 0x5c];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table context_key (
      is_only boolean primary key default true check (is_only),
      key bytea not null check (octet_length(key) = 32),
      inner_pad bytea not null check (octet_length(inner_pad) = ${blockBytes}),
      outer_pad bytea not null check (octet_length(outer_pad) = ${blockBytes})
    );
    create function tenant_in_sight() returns text language sql stable as $$
      select current_setting('app.organization_id', true)
    $$;
  `);
  await backofficeTable(knex, 'context_key', ['select']);
  const key = randomBytes(32);
  const padded = (byte: number) => Buffer.alloc(blockBytes, key, 'latin1').map((_, at) => (key[at] ?? 0) ^ byte);
  await knex.raw('insert into context_key (key, inner_pad, outer_pad) values (?, ?, ?)', [
    key,
    Buffer.from(padded(innerByte)),
    Buffer.from(padded(outerByte)),
  ]);
  await elsewhere(knex);
}

/**
 * An e-mail address and a Google account belong to one person across all organizations. An import learns whether one is
 * in use elsewhere, and nothing else.
 */
const elsewhere = (knex: Knex) =>
  knex.raw(`
    create function address_is_elsewhere(address text, here text) returns boolean language plpgsql stable security definer
      set search_path = public, pg_temp as $$
    begin
      return exists (select from sign_in_name n where n.email = address and n.organization_id <> here);
    end $$;
    create function google_account_is_elsewhere(account text, here text) returns boolean language plpgsql stable
      security definer set search_path = public, pg_temp as $$
    begin
      return exists (select from external_identity i
        where i.provider = 'google' and i.subject = account and i.organization_id <> here);
    end $$;
  `);
