import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { StartError } from '../start-error.ts';

/** How to reach one database as one role; accepted by `pg.Pool` and `pg.Client`. */
export type DatabaseAddress = {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
  ssl?: { rejectUnauthorized: boolean; host?: string; ca?: string };
};

/** Keep-alive of every connection that stays open: it detects a server whose machine or network is gone within minutes, not at the next statement that hangs. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

/** A PostgreSQL server, embedded or external, and the addresses of its roles. */
export type DatabaseHost = {
  /** An account that may create roles and databases. */
  adminConfig: DatabaseAddress;
  configFor(role: string, database: string): DatabaseAddress;
  /** The password a login role must have; undefined when the server trusts its private socket. */
  passwordFor?(role: string): string;
};

/**
 * Returns the server of DATABASE_URL. The login roles' passwords are derived from `secret`, so that none is stored, every process derives
 * the same, and rotating the secret rotates them at the next start.
 */
export function externalHost(databaseUrl: string, secret: string): DatabaseHost & { database: string } {
  const { user, password, database, ...base } = externalAddress(databaseUrl);
  const passwordFor = (role: string): string => Buffer.from(hkdfSync('sha256', secret, 'database role', role, 24)).toString('base64url');
  return {
    database,
    adminConfig: { ...base, user, password, database },
    configFor: (role, name) => ({ ...base, user: role, password: passwordFor(role), database: name }),
    passwordFor,
  };
}

/** Returns how to connect as the user of DATABASE_URL. Throws `StartError` for what is no such address. */
export function externalAddress(databaseUrl: string): DatabaseAddress & { password: string } {
  let url: URL;
  try {
    url = new URL(databaseUrl);
  } catch {
    throw new StartError('DATABASE_URL is not an address. Write it as postgres://user:password@host:5432/database.');
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  if (!/^postgres(ql)?:$/.test(url.protocol) || !url.hostname || !url.username || !database) {
    throw new StartError('DATABASE_URL must name a user, a host and a database: postgres://user:password@host:5432/database.');
  }
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  return {
    host,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ...tlsOf(url.searchParams, host),
  };
}

/** Which modes verify the certificate. `require` is stricter than in libpq, where it accepts any unless there is a root certificate. */
const SSL_MODES: Readonly<Record<string, 'plain' | 'verified' | 'unverified'>> = {
  disable: 'plain',
  require: 'verified',
  'verify-ca': 'verified',
  'verify-full': 'verified',
  'no-verify': 'unverified',
};

/** Returns how a valid DATABASE_URL secures the connection. */
export function databaseTls(databaseUrl: string): 'plain' | 'verified' | 'unverified' {
  return SSL_MODES[new URL(databaseUrl).searchParams.get('sslmode') ?? 'disable'] ?? 'plain';
}

/** How DATABASE_URL says to connect: unencrypted without a `sslmode`. Throws `StartError` for a mode or a file that cannot be used. */
function tlsOf(parameters: URLSearchParams, host: string): Pick<DatabaseAddress, 'ssl'> {
  const mode = SSL_MODES[parameters.get('sslmode') ?? 'disable'];
  const rootCert = parameters.get('sslrootcert');
  if (mode === undefined)
    throw new StartError(
      `DATABASE_URL has a sslmode that is not supported. Write one of ${Object.keys(SSL_MODES).join(', ')}; verify-full is the safe one.`,
    );
  if (mode === 'plain') {
    if (rootCert !== null) throw new StartError('DATABASE_URL names a sslrootcert, but does not use TLS. Add sslmode=verify-full.');
    return {};
  }
  if (mode === 'unverified') return { ssl: { rejectUnauthorized: false } };
  // For an IP address the driver names no host, and Node would compare the certificate with another one.
  return {
    ssl: { rejectUnauthorized: true, ...(isIP(host) ? { host } : {}), ...(rootCert === null ? {} : { ca: readRootCert(rootCert) }) },
  };
}

function readRootCert(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`The sslrootcert of DATABASE_URL cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
