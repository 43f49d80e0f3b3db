import { type AddressInfo, connect, createServer } from 'node:net';
import { once } from 'node:events';
import type { KeyRing } from '@partner-portal/core/credential/vault.ts';
import { createProviderCheck, type ProviderBaseUrls, providerBaseUrls } from '@partner-portal/service/adapters/provider-check.ts';
import { createTenantSql } from '@partner-portal/service/adapters/tenant-sql.ts';
import {
  credentials,
  type EngineConnections,
  type HeldConnection,
  type PlatformKeys,
} from '@partner-portal/service/modules/3-product/credentials/index.ts';
import { createRunner, type JobRunner } from '@partner-portal/service/platform/jobs/runner.ts';
import { createSafeFetch, type Lookup, type SafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { type Sandbox, startSandbox } from '@partner-portal/sandbox/index.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { freePort } from './free-port.ts';
import { startTestService, type TestPlatform, type TestService, type TestServiceOptions } from './service.ts';

export { BOTH_RING, OLD_RING } from './key-rings.ts';

/** The engine at its narrow face: what it holds per connection, every write it took, and a switch for being away. */
export type HeldConnections = EngineConnections & {
  values: Map<string, { [name: string]: string }>;
  writes: { externalId: string; props: { [name: string]: string } }[];
  away: boolean;
  /** The connection as the engine lists it, and the ids of those that have one of their own. */
  listed(externalId: string): HeldConnection | undefined;
  ids: Map<string, string>;
  /** Awaited by the next write before it is taken; for saves that come in between. */
  meanwhile: (() => Promise<unknown>) | undefined;
};

export type VaultService = TestService & {
  vault: ReturnType<typeof credentials>;
  engine: HeldConnections;
  runner: JobRunner;
  sandbox: Sandbox;
  outbound: SafeFetch;
  /** Those of this process; what is set here is as if it had been started with it. */
  platformKeys: { -readonly [P in keyof PlatformKeys]: PlatformKeys[P] };
};

export type VaultOptions = {
  ring?: KeyRing;
  platformKeys?: Partial<PlatformKeys>;
  allowedHosts?: readonly string[];
  lookup?: Lookup;
  logLine?: (line: string) => void;
  database?: TestServiceOptions['database'];
  clock?: TestServiceOptions['clock'];
  /** Modules to serve in addition to the vault. */
  modules?: TestServiceOptions['modules'];
  /** The same, built from the vault and the guard of its calls. */
  modulesOf?: (
    platform: TestPlatform,
    made: { vault: ReturnType<typeof credentials>; outbound: SafeFetch; baseUrls: ProviderBaseUrls },
  ) => ReturnType<NonNullable<TestServiceOptions['modules']>>;
};

/** The service with the vault, its providers played by the sandbox and its engine by a map. */
export async function startVaultService(options: VaultOptions = {}): Promise<VaultService> {
  const engine = holdConnections();
  let outbound: SafeFetch | undefined;
  let vault: ReturnType<typeof credentials> | undefined;
  const platformKeys: VaultService['platformKeys'] = { openai: null, anthropic: null, ...options.platformKeys };
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const service = await startTestService({
    ...(options.ring ? { ring: options.ring } : {}),
    ...(options.logLine ? { logLine: options.logLine } : {}),
    ...(options.database ? { database: options.database } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    modules: (platform) => {
      const { db, clock, log, callbackSecret, dataKeys } = platform;
      outbound = createSafeFetch({
        allowedHosts: [`127.0.0.1:${sandboxPort}`, ...(options.allowedHosts ?? [])],
        ...(options.lookup ? { lookup: options.lookup } : {}),
      });
      const baseUrls = providerBaseUrls({ openai: null, anthropic: null, calcom: null, resend: null, twilio: null }, sandboxUrl);
      const tenantSql = createTenantSql(outbound);
      const checkProvider = createProviderCheck({ fetch: outbound, baseUrls, tenantSql });
      vault = credentials({
        db,
        clock,
        log,
        dataKeys,
        platformKeys,
        baseUrls,
        engine,
        checkProvider,
        tenantSql,
        callbackSecret,
      });
      return [vault, ...(options.modules?.(platform) ?? []), ...(options.modulesOf?.(platform, { vault, outbound, baseUrls }) ?? [])];
    },
  });
  if (!vault || !outbound) throw new Error('The vault was not made.');
  const sandbox = await startSandbox({ pg: service.database.configFor('portal_sandbox'), host: '127.0.0.1', port: sandboxPort });
  const { jobs, crons } = vault;
  const runner = createRunner({ address: service.database.configFor('portal_queue'), jobs, crons, log: service.log });
  const opened = outbound;
  return {
    ...service,
    vault,
    engine,
    runner,
    sandbox,
    outbound: opened,
    platformKeys,
    async close() {
      await runner.stop(0);
      await sandbox.close();
      await opened.close();
      await service.close();
    },
  };
}

function holdConnections(): HeldConnections {
  const changes = new Map<string, number>();
  const idOf = (externalId: string): string => held.ids.get(externalId) ?? `connection-of-${externalId}`;
  const held: HeldConnections = {
    values: new Map(),
    writes: [],
    away: false,
    ids: new Map(),
    listed: (externalId) => (held.values.has(externalId) ? { id: idOf(externalId), updated: String(changes.get(externalId)) } : undefined),
    meanwhile: undefined,
    async upsertConnection({ externalId, props }) {
      const first = held.meanwhile;
      held.meanwhile = undefined;
      await first?.();
      if (held.away) throw new Error('The engine is away.');
      held.values.set(externalId, props);
      held.writes.push({ externalId, props });
      changes.set(externalId, held.writes.length + (changes.get(externalId) ?? 0));
      return { id: idOf(externalId), updated: String(changes.get(externalId)) };
    },
    async listConnections() {
      return [...held.values.keys()].map((externalId) => ({ id: idOf(externalId), externalId }));
    },
    async deleteConnection(id) {
      return held.values.delete(id.replace('connection-of-', ''));
    },
  };
  return held;
}

/** The test server on a loopback port, as if it were a customer's: it listens on a socket file only. */
export async function exposeDatabase(address: DatabaseAddress): Promise<{ host: string; port: number; close(): void }> {
  const server = createServer((customer) => {
    const inner = connect(`${address.host}/.s.PGSQL.${address.port}`);
    customer.pipe(inner).pipe(customer);
    for (const [one, other] of [
      [customer, inner],
      [inner, customer],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on TCP
  return { host: '127.0.0.1', port, close: () => void server.close() };
}
