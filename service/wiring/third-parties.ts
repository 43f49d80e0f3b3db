import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { isAllowedHost, plainHost, portOf } from '@partner-portal/core/network/address.ts';
import { createEngineClient } from '#adapters/engine-client.ts';
import { createEngineSend } from '#adapters/engine/engine-send.ts';
import { measureEngine } from '#adapters/engine/measure-engine.ts';
import { createLanguageModels } from '#adapters/language-models/index.ts';
import { createMalwareScan } from '#adapters/malware-scan.ts';
import { createMailer } from '#adapters/mailer.ts';
import { createProviderCheck, providerBaseUrls } from '#adapters/provider-check.ts';
import { createDomainLookup } from '#adapters/domain-lookup.ts';
import { createTenantSql } from '#adapters/tenant-sql.ts';
import { createComputePool } from '#platform/compute/compute-pool.ts';
import { createInternalFetch } from '#platform/outbound/internal-fetch.ts';
import { createNetworkLookup } from '#platform/outbound/network-lookup.ts';
import { createSafeFetch } from '#platform/outbound/safe-fetch.ts';
import { CALLS_MAX } from '#modules/3-product/ai-proxy/index.ts';
import { IN_FLIGHT_MAX } from '#modules/5-reactions/webhooks/index.ts';
import type { Config } from '../config.ts';
import type { Clock } from '#platform/clock.ts';

export type ThirdPartyDeps = {
  config: Config;
  clock: Clock;
  /** Base URL of the engine; null while there is none. */
  engineBaseUrl: () => string | null;
  sandboxUrl: string | null;
};

export type ThirdParties = ReturnType<typeof createThirdParties>;

/** Creates the clients of other systems, each behind its guard. `close` ends their connections and threads. */
export function createThirdParties({ config, clock, engineBaseUrl, sandboxUrl }: ThirdPartyDeps) {
  const internalUrls = (): (string | null)[] => [engineBaseUrl(), sandboxUrl];
  const isInternal = (origin: string): boolean => internalUrls().some((url) => url !== null && new URL(url).origin === origin);
  const internal = createInternalFetch(isInternal);
  // A chatbot's call to a flow holds its connection for as long as the flow runs.
  const waiting = createInternalFetch(isInternal);
  const allowedHosts = [...config.devAllowedHosts, ...(sandboxUrl === null ? [] : [new URL(sandboxUrl).host])];
  // Customers name the hosts of both.
  const lookup = createNetworkLookup({ allowedHosts });
  const outbound = createSafeFetch({ allowedHosts, lookup });
  const deliveries = createSafeFetch({ allowedHosts, connectionsPerHost: IN_FLIGHT_MAX, lookup });
  const models = createSafeFetch({ allowedHosts, connectionsPerHost: CALLS_MAX, lookup });
  const { adminEmail, adminPassword } = config.engine;
  const engineAdmin = adminEmail && adminPassword ? { email: adminEmail, password: adminPassword } : null;
  const engine = measureEngine(
    createEngineClient({
      baseUrl: engineBaseUrl,
      account: engineAdmin,
      send: createEngineSend(internal),
      sendWaiting: createEngineSend(waiting),
      clock,
    }),
  );
  const tenantSql = createTenantSql(outbound);
  const compute = createComputePool();
  const baseUrls = providerBaseUrls(config.providers.baseUrls, sandboxUrl);
  const checkProvider = createProviderCheck({ fetch: outbound, baseUrls, tenantSql });
  const callModel = createLanguageModels({ fetch: models, baseUrls, timeoutMs: LIMITS.aiCallTimeoutMs });
  const mailer = config.smtp === null ? null : createMailer(config.smtp);
  const malwareScan = config.clamd === null ? null : createMalwareScan(config.clamd);
  const allowed = new Set(allowedHosts);
  return {
    internal,
    outbound,
    deliveries,
    engine,
    tenantSql,
    compute,
    baseUrls,
    checkProvider,
    callModel,
    domainLookup: createDomainLookup({ servers: config.domains.resolvers }),
    mailer,
    malwareScan,
    /** Whether plain HTTP may be used: for hosts that the configuration allows. */
    allowsHttp: (url: URL): boolean => isAllowedHost(plainHost(url.hostname), portOf(url), allowed),
    async close(): Promise<void> {
      mailer?.close();
      await Promise.all([internal.close(), waiting.close(), outbound.close(), deliveries.close(), models.close(), compute.close()]);
    },
  };
}
