import pg from 'pg';
import { certificateProblem } from '../certificate-problem.ts';
import { StartError } from '../start-error.ts';
import type { DatabaseAddress, DatabaseHost } from './host.ts';

/** Roles that log in. The others are set inside a transaction. */
export const LOGIN_ROLES = ['portal_service', 'portal_queue', 'portal_engine', 'portal_sandbox'] as const;

/**
 * Creates the roles and their memberships; idempotent.
 * - `portal_owner` owns the tables. Policies bind owners too (forced), hence its membership in `portal_system`;
 *   membership in `portal_queue` lets its definer functions add jobs.
 * - `portal_service` inherits nothing: until a transaction sets `portal_tenant` or `portal_system` it can read no table.
 * - `portal_queue` owns the job schema, `portal_engine` and `portal_sandbox` theirs; they see none of the service's tables.
 * - Sessions are in UTC, not in the zone of the server: hours of usage and months of tables begin by it.
 */
const ROLES_SQL = `
do $$
declare wanted text;
begin
  foreach wanted in array array['portal_owner', 'portal_tenant', 'portal_system', 'portal_service', 'portal_queue', 'portal_engine', 'portal_sandbox'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I', wanted);
    end if;
  end loop;
  alter role portal_owner nologin;
  alter role portal_tenant nologin;
  alter role portal_system nologin;
  alter role portal_service login noinherit;
  alter role portal_queue login;
  alter role portal_engine login;
  alter role portal_sandbox login;
  foreach wanted in array array['portal_service', 'portal_queue', 'portal_engine', 'portal_sandbox'] loop
    execute format('alter role %I set timezone to ''UTC''', wanted);
  end loop;
  grant portal_system, portal_queue to portal_owner with inherit true, set true;
  grant portal_tenant, portal_system to portal_service with inherit false, set true;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant portal_owner, portal_queue, portal_engine, portal_sandbox to %I with inherit true, set true', current_user);
  end if;
end $$;`;

/** Grants of each role in one database. Runs as the administrator, before any migration. */
const SCHEMAS_SQL = `
do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to portal_service, portal_queue, portal_engine, portal_sandbox', current_database());
  execute format('grant create on database %I to portal_owner, portal_queue', current_database());
  revoke create on schema public from public;
  grant usage, create on schema public to portal_owner;
  grant usage on schema public to portal_service, portal_tenant, portal_system, portal_queue;
  create schema if not exists engine authorization portal_engine;
  create schema if not exists sandbox authorization portal_sandbox;
end $$;`;

/** The oldest server that knows all that our SQL uses, such as `uuidv7()` and the old row in `returning`. */
const SERVER_MIN = 18;

/** Refuses an older server with one sentence, before its first syntax error. */
export async function demandVersion(client: pg.Client, address: pg.ClientConfig): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    "select current_setting('server_version_num') as number, current_setting('server_version') as version",
  );
  const { number = '', version = 'unknown' } = rows[0] ?? {};
  if (Number(number) >= SERVER_MIN * 10_000) return;
  throw new StartError(
    `The database at ${address.host ?? 'localhost'}:${address.port ?? 5432} is PostgreSQL ${version}; this release needs PostgreSQL ${SERVER_MIN} or newer.`,
  );
}

/** Databases of the server, other than $1, that `SCHEMAS_SQL` has opened to the service. */
const OTHERS_SQL = `
select d.datname as name from pg_database d
where d.datname <> $1 and d.datallowconn
  and exists (select from aclexplode(d.datacl) a where a.grantee = to_regrole('portal_service') and a.privilege_type = 'CONNECT')
order by 1`;

/**
 * Creates or corrects all roles of the server. Throws `StartError` when the administrator may not, or when the server carries the installation
 * of another database.
 */
export async function createRoles(host: DatabaseHost, database: string): Promise<void> {
  await withClient(host.adminConfig, async (client) => {
    await demandOwnServer(host, client, database);
    await client.query(ROLES_SQL);
    const passwordFor = host.passwordFor;
    if (!passwordFor) return;
    for (const role of LOGIN_ROLES) {
      // ALTER ROLE takes no parameters; the name is ours and the password is base64url, still both are quoted.
      await client.query(`alter role ${client.escapeIdentifier(role)} password ${client.escapeLiteral(passwordFor(role))}`);
    }
  });
}

/**
 * Roles belong to the whole server: the passwords of this installation would shut out one with another secret. A copy of the database with the
 * same secret is no other installation.
 */
async function demandOwnServer(host: DatabaseHost, client: pg.Client, database: string): Promise<void> {
  if (!host.passwordFor) return;
  const { rows } = await client.query<{ name: string }>(OTHERS_SQL, [database]);
  for (const { name } of rows) {
    if (await isOpenTo(host.configFor('portal_service', name))) continue;
    throw new StartError(
      `The database server at ${host.adminConfig.host}:${host.adminConfig.port} carries the installation of the database "${name}", which has another JWT_SECRET. ` +
        `One server carries one installation: use another server, or drop "${name}" if nothing uses it any more.`,
    );
  }
}

/** Whether the server accepts the password; what else keeps a role out says nothing about it. */
async function isOpenTo(address: DatabaseAddress): Promise<boolean> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === '28P01');
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the database when missing, its schemas and grants. */
export async function createSchemas(host: DatabaseHost, database: string): Promise<void> {
  await withClient(host.adminConfig, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(database)} owner portal_owner`);
    }
  });
  await withClient({ ...host.adminConfig, database }, async (client) => {
    await client.query(SCHEMAS_SQL);
  });
}

/** Opens one connection for `work` and closes it. Failures to connect or to be allowed become a `StartError`. */
export async function withClient<T>(address: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 10_000 });
  // A connection lost in between rejects the running query; without a listener it would also end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw explainDatabaseError(error, address);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const CERTIFICATE_ADVICE = {
  other_name: 'is for another host name: write the name of the certificate into DATABASE_URL',
  expired: 'has expired: renew it',
  not_yet_valid: 'is not valid yet: check the clocks',
  unknown_issuer:
    'was issued by an authority that is not known here: name its certificate with sslrootcert in DATABASE_URL, or accept any certificate with sslmode=no-verify',
} as const;

/** Turns an error of a connecting server into one sentence to act on; other errors are returned unchanged. */
export function explainDatabaseError(error: unknown, address: DatabaseAddress | pg.ClientConfig): unknown {
  if (!(error instanceof Error) || error instanceof StartError) return error;
  // pg's own error when the time to connect is over has no code.
  const codeless = error.message === 'timeout expired' ? 'ETIMEDOUT' : '';
  const code = 'code' in error ? String(error.code) : codeless;
  const where = `${address.host ?? 'localhost'}:${address.port ?? 5432}`;
  const certificate = certificateProblem(error);
  if (certificate !== null)
    return new StartError(`The certificate of the database at ${where} ${CERTIFICATE_ADVICE[certificate]}.`, { cause: error });
  if (code === '28P01' || code === '28000') {
    return new StartError(`The database at ${where} refused the user "${address.user ?? ''}". Check DATABASE_URL.`, { cause: error });
  }
  if (code === '42501') {
    return new StartError(
      `The user "${address.user ?? ''}" of DATABASE_URL may not create roles and schemas (${error.message}). ` +
        'Grant it CREATEROLE and CREATEDB and make it the owner of the database, or use an administrator account.',
      { cause: error },
    );
  }
  if (code === '3D000')
    return new StartError(`The database "${address.database ?? ''}" does not exist at ${where}. Create it first.`, { cause: error });
  if (['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOENT', 'EAI_AGAIN'].includes(code)) {
    return new StartError(`The database at ${where} does not answer (${code}). Check DATABASE_URL and that the server runs.`, {
      cause: error,
    });
  }
  return error;
}
