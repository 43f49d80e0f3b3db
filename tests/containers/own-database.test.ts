import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { migrate as migrateEngine } from '@partner-portal/engine/migrate.ts';
import { destroyDataKey, requireDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@partner-portal/service/platform/db/embedded.ts';
import { externalHost } from '@partner-portal/service/platform/db/host.ts';
import { prepareDatabase } from '@partner-portal/service/platform/db/migrate.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { withClient } from '@partner-portal/service/platform/db/roles.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import pg from 'pg';
import { openAsAdmin, type TestDatabase } from '../harness/database.ts';
import { addEndpoint, openStoredSecret, type TestEndpoint } from '../harness/deliveries.ts';
import { freePort } from '../harness/free-port.ts';
import { OLD_RING } from '../harness/key-rings.ts';
import { startTestService } from '../harness/service.ts';
import { seedWorld, type World } from '../harness/world.ts';
import { POSTGRES_IMAGE, whyNoBackup } from './containers.ts';
import { printedCommands } from './printed.ts';

/**
 * The commands of docs/deploy.md for a database elsewhere, as they are printed, by a user that has what the page asks for and no more: it may create
 * roles and databases, and owns the database. The programs are those of the image of Postgres.
 */

const run = promisify(execFile);
const SECRET = 'x'.repeat(40);
/** The day in the printed names of dumps. */
const PRINTED_DAY = '2026-11-01';
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const SERVICE = join(import.meta.dirname, '..', '..', 'service');

type Server = { postgres: EmbeddedPostgres; url: string; engineUrl: string; database: TestDatabase; stop(): Promise<void> };

/** A server on which an operator has made a user and its database. */
async function startServer(folder: string): Promise<Server> {
  const port = await freePort();
  const settings = { fsync: 'off', autovacuum: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, `pg-${port}`), log: quiet, listenTcp: port, settings });
  await withClient(postgres.adminConfig, async (client) => {
    await client.query("create role app login createrole createdb password 'secret'");
    await client.query('create database portal owner app');
    await client.query('create database engine owner app');
  });
  const url = `postgres://app:secret@127.0.0.1:${port}/portal`;
  const host = externalHost(url, SECRET);
  const admin = openAsAdmin(postgres, 'portal');
  const database = { name: 'portal', host, configFor: (role: string) => host.configFor(role, 'portal'), query: admin.query };
  return {
    postgres,
    url,
    engineUrl: url.replace(/portal$/, 'engine'),
    database: { ...database, drop: () => admin.end() },
    stop: async () => {
      await admin.end();
      await postgres.stop();
    },
  };
}

describe('the printed backup of a database elsewhere', { skip: whyNoBackup(), timeout: 1_800_000 }, () => {
  const [, , backup = [], restore = []] = printedCommands('deploy.md', 'Back up and restore');
  const folder = mkdtempSync(join(tmpdir(), 'portal-own-database-'));
  const dumps = join(folder, 'dumps');
  let server: Server;
  let world: World;
  let endpoints: { mine: TestEndpoint; rivals: TestEndpoint };
  let counted: Record<string, string>;

  before(async () => {
    assert.deepEqual([backup.length, restore.length > backup.length], [6, true]);
    mkdirSync(join(folder, 'bin'));
    mkdirSync(dumps);
    for (const program of ['pg_dump', 'pg_restore', 'psql'])
      writeFileSync(
        join(folder, 'bin', program),
        `#!/bin/sh\nexec podman run --rm --interactive --network host --volume '${dumps}:/dumps' --workdir /dumps ${POSTGRES_IMAGE} ${program} "$@"\n`,
        { mode: 0o755 },
      );
    // `docker run … migrate` is the program that the image starts.
    writeFileSync(
      join(folder, 'bin', 'docker'),
      `#!/bin/sh\n[ "$1" = run ] && [ "$(eval echo \\\${$#})" = migrate ] || exit 64\nexec '${process.execPath}' '${join(SERVICE, 'migrate.ts')}'\n`,
      { mode: 0o755 },
    );
    server = await startServer(folder);
    await prepareDatabase(server.database.host, 'portal');
    // The engine within the service, and the one with a database of its own.
    for (const address of [server.database.configFor('portal_engine'), { ...server.database.host.adminConfig, database: 'engine' }]) {
      const enginePool = new pg.Pool({ ...address, max: 1 });
      await migrateEngine(enginePool);
      await enginePool.end();
    }
    const pool = createPool(server.database.configFor('portal_service'), { name: 'seed', max: 2 });
    world = await seedWorld(createDatabase(pool));
    await pool.end();
    const service = await startTestService({ database: server.database, world });
    endpoints = await service.db.asSystem('seed', async (tx) => ({
      mine: await addEndpoint(tx, { partnerId: world.partnerId, url: 'http://receiver.test/' }),
      rivals: await addEndpoint(tx, { partnerId: world.rivalPartnerId, url: 'http://receiver.test/' }),
    }));
    await service.close();
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const shell = (on: Server, command: string): Promise<unknown> =>
    run('bash', ['-e', '-o', 'pipefail', '-c', command], {
      cwd: dumps,
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        DATABASE_URL: on.url,
        ENGINE_DATABASE_URL: on.engineUrl,
        JWT_SECRET: SECRET,
        CREDENTIALS_ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
        AUTOMATION_CALLBACK_SECRET: 'y'.repeat(40),
        DATA_DIR: folder,
      },
    });

  const countRows = async ({ postgres, database }: Server): Promise<Record<string, string>> => {
    const { rows } = await withClient({ ...postgres.adminConfig, database: database.name }, (client) =>
      client.query<{ name: string; rows: string }>(
        `select c.oid::regclass::text as name, (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s', c.oid::regclass), false, true, '')))[1]::text as rows
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname in ('public', 'applied', 'graphile_worker', 'engine', 'sandbox') order by 1`,
      ),
    );
    return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
  };
  const statusOf = async ({ database }: Server, id: string): Promise<unknown> =>
    (await database.query('select status from partner where id = $1', [id]))[0]?.status;

  const restoreAsPrinted = async (on: Server): Promise<void> => {
    const days = readdirSync(dumps).flatMap((name) => /^portal-(\d{4}-\d{2}-\d{2})\.dump$/.exec(name)?.[1] ?? []);
    assert.equal(days.length, 1);
    for (const command of restore) await shell(on, command.replaceAll(PRINTED_DAY, days[0] ?? ''));
  };

  const isAsDumped = async (on: Server): Promise<void> => {
    const { partner_data_key: keys, deletion_request: requests, ...others } = await countRows(on);
    const { partner_data_key: keysBefore, deletion_request: _, ...before } = counted;
    assert.deepEqual(others, before);
    assert.deepEqual([keys, requests], [keysBefore, '1']);
    assert.deepEqual([await statusOf(on, world.partnerId), await statusOf(on, world.rivalPartnerId)], ['active', 'suspended']);
    const { rows } = await withClient({ ...on.postgres.adminConfig, database: 'engine' }, (client) =>
      client.query<{ name: string }>('select name from engine.migration'),
    );
    assert.ok(rows.length > 0);
    assert.deepEqual(await prepareDatabase(on.database.host, 'portal'), [], 'a start finds nothing to do');
    const service = await startTestService({ database: on.database, world });
    try {
      await requireDataKeys(service.db);
      assert.equal(await openStoredSecret(service.db, OLD_RING, endpoints.mine), endpoints.mine.secret);
      await assert.rejects(openStoredSecret(service.db, OLD_RING, endpoints.rivals), /data_key_destroyed/);
      assert.equal((await service.login(world.people.owner.email)).status, 200);
    } finally {
      await service.close();
    }
  };

  it('leaves no file that looks like one when it fails', async () => {
    await withClient(server.postgres.adminConfig, (client) => client.query('create role stranger login'));
    const as = (url: string): string => url.replace('app:', 'stranger:');
    const asStranger = { ...server, url: as(server.url), engineUrl: as(server.engineUrl) };
    for (const command of backup) await assert.rejects(shell(asStranger, command));
    assert.deepEqual(
      readdirSync(dumps).filter((name) => !name.endsWith('.new')),
      [],
    );
  });

  it('holds every row, the keys of a newer agency included, made by the owner of the database', async () => {
    counted = await countRows(server);
    const [database = '', keys = '', purged = '', stops = '', numbers = '', engine = ''] = backup;
    await shell(server, database);
    const service = await startTestService({ database: server.database, world });
    await service.db.asSystem('seed', async (tx) => {
      await destroyDataKey(tx, world.rivalPartnerId);
      const { id } = await tx.insertInto('partner').values({ name: 'Later', slug: 'later' }).returning('id').executeTakeFirstOrThrow();
      await service.dataKeys.provide(tx, id);
    });
    await service.close();
    await server.database.query(
      `with request as (
        insert into deletion_request (partner_id, scope, account_name, reason, status, requester_role, purge_after, decided_at)
        values ($1, 'partner', 'Rival', 'Asked', 'approved', 'PARTNER', now(), now()) returning id, partner_id)
      insert into purge (deletion_request_id, partner_id, started_at) select id, partner_id, now() from request`,
      [world.rivalPartnerId],
    );
    await shell(server, keys);
    await shell(server, purged);
    await shell(server, stops);
    await shell(server, numbers);
    await shell(server, engine);
  });

  it('is restored on the same database: keys open, what was purged is purged again, and what came later is gone', async () => {
    await restoreAsPrinted(server);
    await isAsDumped(server);
  });

  it('is restored on another server that has only an empty database', async () => {
    const fresh = await startServer(folder);
    try {
      await restoreAsPrinted(fresh);
      await isAsDumped(fresh);
    } finally {
      await fresh.stop();
    }
  });
});
