import { createLanguageModels } from '@partner-portal/service/adapters/language-models/index.ts';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { type AiProxy, aiProxy } from '@partner-portal/service/modules/3-product/ai-proxy/index.ts';
import { credentials } from '@partner-portal/service/modules/3-product/credentials/index.ts';
import { createTenantSql } from '@partner-portal/service/adapters/tenant-sql.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase, type Database } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { createSafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { OLD_RING } from './key-rings.ts';

/** The proxy on a database, as the service has it, and nothing else: what faults kill and benches measure. */
export type AiProcess = { db: Database; proxy: AiProxy; stop(): Promise<void> };

export function openAiProcess(address: DatabaseAddress, modelsUrl: string): AiProcess {
  const log = createLog('silent');
  const pool = createPool(address, { name: 'ai proxy', max: 20, onIdleError: () => undefined });
  const facts = createFacts();
  facts.register(consequences({ notify: async () => undefined, agentRequests: null, baseUrl: 'http://portal.test' }));
  const db = createDatabase(pool, facts);
  const fetch = createSafeFetch({ allowedHosts: [new URL(modelsUrl).host], connectionsPerHost: 256 });
  const unused = () => Promise.reject(new Error('Calls of models need no engine.'));
  const key = new Secret('sk-platform');
  const vault = credentials({
    db,
    clock: systemClock,
    log,
    dataKeys: createDataKeys(OLD_RING),
    platformKeys: { openai: key, anthropic: key },
    baseUrls: { openai: modelsUrl, anthropic: modelsUrl, calcom: modelsUrl, resend: modelsUrl, twilio: modelsUrl },
    engine: { upsertConnection: unused, listConnections: unused, deleteConnection: unused },
    checkProvider: unused,
    tenantSql: createTenantSql(fetch),
    callbackSecret: new Secret('callback-secret-of-the-tests'),
  });
  const timeoutMs = 60_000;
  const callModel = createLanguageModels({ fetch, baseUrls: { openai: modelsUrl, anthropic: modelsUrl }, timeoutMs });
  const proxy = aiProxy({ db, clock: systemClock, log, credentials: vault, callModel, timeoutMs });
  return {
    db,
    proxy,
    async stop() {
      await proxy.stop();
      await fetch.close();
      await pool.end();
    },
  };
}
