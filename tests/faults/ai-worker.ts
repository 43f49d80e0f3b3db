import { createLanguageModels } from '@partner-portal/service/adapters/language-models/index.ts';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { type AiProxy, aiProxy, type AiRequest } from '@partner-portal/service/modules/3-product/ai-proxy/index.ts';
import { credentials } from '@partner-portal/service/modules/3-product/credentials/index.ts';
import { createTenantSql } from '@partner-portal/service/adapters/tenant-sql.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { createSafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { OLD_RING } from '../harness/key-rings.ts';

export type AiTask = { address: DatabaseAddress; modelsUrl: string; request: AiRequest };

/** Calls a model as a child process and sends the reply: what the tests of metering kill. */
process.once('message', ({ address, modelsUrl, request }: AiTask) => {
  void openProxy(address, modelsUrl)
    .complete(request)
    .then((reply) => process.send?.(reply, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));

/** The proxy on a database, as the service has it, and nothing else. */
function openProxy(address: DatabaseAddress, modelsUrl: string): AiProxy {
  const log = createLog('silent');
  const pool = createPool(address, { name: 'ai proxy', max: 20, onIdleError: () => undefined });
  const facts = createFacts();
  facts.register(consequences({ notify: async () => undefined, agentRequests: null, baseUrl: 'http://portal.test' }));
  const db = createDatabase(pool, facts);
  const fetch = createSafeFetch({ allowedHosts: [new URL(modelsUrl).host] });
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
  return aiProxy({ db, clock: systemClock, log, credentials: vault, callModel, timeoutMs });
}
