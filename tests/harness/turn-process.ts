import { loadBundles } from '@partner-portal/catalog/index.ts';
import { createEngineClient } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { createLanguageModels } from '@partner-portal/service/adapters/language-models/index.ts';
import { createProviderCheck, providerBaseUrls } from '@partner-portal/service/adapters/provider-check.ts';
import { createTenantSql } from '@partner-portal/service/adapters/tenant-sql.ts';
import { createDataKeys } from '@partner-portal/service/modules/1-ledger/data-keys/index.ts';
import { files } from '@partner-portal/service/modules/1-ledger/files/index.ts';
import { mail } from '@partner-portal/service/modules/1-ledger/mail/index.ts';
import { aiProxy, CALLS_MAX } from '@partner-portal/service/modules/3-product/ai-proxy/index.ts';
import { chatbot } from '@partner-portal/service/modules/3-product/chatbot/index.ts';
import { type Conversations, conversations } from '@partner-portal/service/modules/3-product/conversations/index.ts';
import { credentials } from '@partner-portal/service/modules/3-product/credentials/index.ts';
import { executions } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { createNotify } from '@partner-portal/service/modules/5-reactions/notifications/index.ts';
import { systemClock } from '@partner-portal/service/platform/clock.ts';
import { createComputePool } from '@partner-portal/service/platform/compute/compute-pool.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createPool } from '@partner-portal/service/platform/db/pool.ts';
import { createDatabase } from '@partner-portal/service/platform/db/tx.ts';
import { createFacts } from '@partner-portal/service/platform/facts.ts';
import { createCursors } from '@partner-portal/service/platform/http/cursor.ts';
import { createRateLimits } from '@partner-portal/service/platform/http/rate-limit.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { openNotices } from '@partner-portal/service/platform/notify.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { createSafeFetch } from '@partner-portal/service/platform/outbound/safe-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { consequences } from '@partner-portal/service/wiring/consequences.ts';
import { rateLimitWindows } from '@partner-portal/service/wiring/rate-limits.ts';
import { ADMIN } from '../engine/harness.ts';
import { OLD_RING } from './key-rings.ts';

/** Where a process of turns finds database, engine and models. */
export type TurnTask = { address: DatabaseAddress; engineUrl: string; modelsUrl: string; modelsHost: string };

/** Conversations with the modules they need, on a database, as the service has them and nothing else: what tests kill. */
export function openTurnProcess({ address, engineUrl, modelsUrl, modelsHost }: TurnTask): {
  talks: Conversations;
  close(): Promise<void>;
} {
  const baseUrl = 'http://portal.test';
  const log = createLog('silent');
  const facts = createFacts();
  const pool = createPool(address, { name: 'turns', max: 6, onIdleError: () => undefined });
  const db = createDatabase(pool, facts);
  const notices = openNotices(address, log);
  const cursors = createCursors(new Secret('c'.repeat(48)));
  const limits = createRateLimits(rateLimitWindows());
  const dataKeys = createDataKeys(OLD_RING);
  const callbackSecret = new Secret('callback-secret-of-the-tests');
  const shared = { db, log, clock: systemClock, cursors, notices, limits, callbackSecret, publicBaseUrl: baseUrl };
  const outbound = createSafeFetch({ allowedHosts: [modelsHost], connectionsPerHost: CALLS_MAX });
  const internal = createInternalFetch(() => true);
  const engine = createEngineClient({
    baseUrl: () => engineUrl,
    account: { email: ADMIN.email, password: new Secret(ADMIN.password) },
    send: createEngineSend(internal),
    clock: systemClock,
  });
  const baseUrls = { ...providerBaseUrls({ openai: null, anthropic: null, calcom: null, resend: null, twilio: null }, modelsUrl) };
  const tenantSql = createTenantSql(outbound);
  const platformKeys = { openai: new Secret('sk-platform-openai'), anthropic: new Secret('sk-platform-anthropic') };
  const checkProvider = createProviderCheck({ fetch: outbound, baseUrls, tenantSql });
  const vault = credentials({ ...shared, dataKeys, platformKeys, baseUrls, engine, checkProvider, tenantSql });
  const callModel = createLanguageModels({ fetch: outbound, baseUrls: { openai: modelsUrl, anthropic: modelsUrl }, timeoutMs: 60_000 });
  const proxy = aiProxy({ ...shared, credentials: vault, callModel, timeoutMs: 60_000 });
  const templates = [...loadBundles()].map(({ template }) => template);
  const templateOf = (name: string) => templates.find((template) => template.name === name);
  const runs = executions({
    ...shared,
    engine,
    templateOf,
    timeoutMinutesDefault: 30,
    waitMinutesMax: 60,
    isSoleProcess: false,
    failedRunsFree: 100,
    firstContactsPerHour: 10_000,
  });
  const { store } = files({ db, clock: systemClock });
  const compute = createComputePool({ waitMs: 60_000, deadlineFactor: 10 });
  const mailModule = mail({ ...shared, dataKeys, files: store, baseUrl, mailer: null });
  facts.register(consequences({ notify: createNotify(mailModule), agentRequests: null, baseUrl }));
  const talks = conversations({
    ...shared,
    complete: proxy.complete,
    chatbot: chatbot({ ...shared, files: store, compute }),
    runDirectly: runs.runDirectly,
    templateOf,
    templates,
    queueMail: mailModule.queueMail,
    secret: callbackSecret,
  });
  return {
    talks,
    async close() {
      await talks.stop();
      await proxy.stop();
      await runs.stop();
      await notices.close();
      await Promise.all([outbound.close(), internal.close()]);
      await compute.close();
      await pool.end();
    },
  };
}
