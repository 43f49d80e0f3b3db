import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findContracting } from './harness/contracting.ts';

// During a rolling upgrade processes of the version before work on the schema of the next one.

const ROOT = join(import.meta.dirname, '..');

/** Statements that a migration of 1.2.0 may have, and their counterparts that the version before may not survive. */
const PAIRS: readonly [allowed: string, refused: string][] = [
  ['alter table client add column nickname text', 'alter table client add column nickname text not null'],
  ["alter table client add column kind text not null default 'a'", 'alter table client add kind text not null, add note text'],
  ['create table nickname (id uuid primary key, name text not null)', 'drop table client'],
  ['drop index client_name', 'alter table client drop column phone'],
  ['alter table client drop constraint client_kind_check', 'alter table client drop phone'],
  ['alter table client alter column name drop not null', 'alter table client alter column name set not null'],
  ["alter table client alter column kind set default 'b'", 'alter table client alter kind drop default'],
  ['create index client_phone on client (phone)', 'create unique index client_phone on client (phone)'],
  ['grant select on client to portal_tenant', 'revoke select on client from portal_tenant'],
  ["comment on table client is 'rename column; drop table client'", 'alter table client rename column name to title'],
  ['-- drop table client\nselect 1', 'do $$ begin drop table client; end $$'],
  ['create table a (x int); alter table a add check (x > 0)', 'alter table client add constraint c check (name <> $$x$$)'],
  ['-- unused since 1.1.0\nalter table client drop column phone', '-- unused since 1.2.0\nalter table client drop column phone'],
  ['-- the version before: it writes none\nalter table client alter phone type int', 'alter table client alter phone type int'],
  ['-- unused since 1.1.0\ndrop table client', '-- unused since 1.1.0\nselect 1;\ndrop table client'],
];

describe('a migration', () => {
  it('is refused when the version before may not survive it, and no other is', () => {
    for (const [allowed, refused] of PAIRS) {
      assert.deepEqual(findContracting(`${allowed};`, '1.2.0'), [], allowed);
      assert.equal(findContracting(`${refused};`, '1.2.0').length, 1, refused);
    }
  });

  it('takes from the version before nothing that it uses', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.ok(existsSync(join(ROOT, 'service/schema/migrations/history.json')), 'this is their folder');
    const found = globSync('service/schema/migrations/*.sql', { cwd: ROOT }).flatMap((file) =>
      findContracting(readFileSync(join(ROOT, file), 'utf8'), version).map((problem) => `${file} ${problem}`),
    );
    assert.deepEqual(found, []);
  });
});
