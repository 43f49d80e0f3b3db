import { hkdfSync } from 'node:crypto';
import { StartError } from '../start-error.ts';

/** How to reach one database as one role; accepted by `pg.Pool` and `pg.Client`. */
export type DatabaseAddress = {
  host: string;
  port: number;
  user: string;
  database: string;
  password?: string;
  ssl?: boolean | { rejectUnauthorized: boolean };
};

/** Of every connection that stays open: a server whose machine or network is gone is noticed within minutes, not by the next statement that hangs. */
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
  const mode = url.searchParams.get('sslmode');
  const base = {
    host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: Number(url.port || 5432),
    ...(mode && mode !== 'disable' ? { ssl: mode === 'verify-full' || mode === 'verify-ca' ? true : { rejectUnauthorized: false } } : {}),
  };
  const passwordFor = (role: string): string => Buffer.from(hkdfSync('sha256', secret, 'database role', role, 24)).toString('base64url');
  return {
    database,
    adminConfig: { ...base, user: decodeURIComponent(url.username), password: decodeURIComponent(url.password), database },
    configFor: (role, name) => ({ ...base, user: role, password: passwordFor(role), database: name }),
    passwordFor,
  };
}
