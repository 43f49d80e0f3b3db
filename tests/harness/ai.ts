import assert from 'node:assert/strict';
import type { AiProvider } from '@partner-portal/contract/vocabulary.ts';
import type { TestPlatform, TestServiceOptions } from './service.ts';
import { createLanguageModels } from '@partner-portal/service/adapters/language-models/index.ts';
import { type AiProxy, aiProxy, type AiReply, type AiRequest } from '@partner-portal/service/modules/3-product/ai-proxy/index.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import type { Person } from './world.ts';
import { startVaultService, type VaultOptions, type VaultService } from './vault.ts';

export type AiService = VaultService & {
  proxy: AiProxy;
  models: ModelServer;
  /** Saves which key counts for the agency of `as`, or for one of its clients. */
  saveKey(as: Person, provider: AiProvider, mode: 'platform' | 'byok', clientId?: string): Promise<void>;
  /** Calls a model for the agency of most tests. */
  complete(request?: Partial<AiRequest>): Promise<AiReply>;
  /** Credits of that agency's period. */
  quota(): Promise<{ used: number; inFlight: number }>;
  /** Leaves this many credits in its period. */
  leaveCredits(credits: number): Promise<void>;
};

export type AiServiceOptions = Omit<VaultOptions, 'modulesOf'> & {
  timeoutMs?: number;
  providerTimeoutMs?: number;
  /** Further modules that call models. */
  modulesWith?: (platform: TestPlatform, proxy: AiProxy) => ReturnType<NonNullable<TestServiceOptions['modules']>>;
};

/** The service with the vault and the proxy, both providers played by a server that behaves as a test says. */
export async function startAiService(options: AiServiceOptions = {}): Promise<AiService> {
  const models = await startModelServer();
  const { timeoutMs = 60_000, providerTimeoutMs = timeoutMs, modulesWith, ...rest } = options;
  let proxy: AiProxy | undefined;
  const service = await startVaultService({
    platformKeys: { openai: new Secret('sk-platform-openai'), anthropic: new Secret('sk-platform-anthropic') },
    ...rest,
    allowedHosts: [models.host, ...(options.allowedHosts ?? [])],
    modulesOf: (platform, { vault, outbound }) => {
      const { db, clock, log } = platform;
      const callModel = createLanguageModels({
        fetch: outbound,
        baseUrls: { openai: models.url, anthropic: models.url },
        timeoutMs: providerTimeoutMs,
      });
      proxy = aiProxy({ db, clock, log, credentials: vault, callModel, timeoutMs });
      return [proxy, ...(modulesWith?.(platform, proxy) ?? [])];
    },
  });
  if (!proxy) throw new Error('The proxy was not made.');
  const made = proxy;
  const { partnerId } = service.world;
  return {
    ...service,
    proxy: made,
    models,
    async saveKey(as, provider, mode, clientId) {
      const data = mode === 'byok' ? { data: { apiKey: `sk-own-${provider}` } } : {};
      const body = { sourceMode: mode, ...data, ...(clientId ? { clientId } : {}) };
      const reply = await service.call('PUT', `/credentials/${provider}`, { as, body });
      assert.equal(reply.status, 200, reply.text);
    },
    complete: (request = {}) =>
      made.complete({
        owner: { partnerId, clientId: null },
        purpose: 'proxy',
        provider: 'openai',
        model: 'gpt-5',
        messages: [{ role: 'user', content: 'Hi' }],
        maxTokens: 100,
        ...request,
      }),
    quota: () =>
      service.db.asSystem('seed', (tx) =>
        tx.selectFrom('partnerQuota').select(['used', 'inFlight']).where('partnerId', '=', partnerId).executeTakeFirstOrThrow(),
      ),
    async leaveCredits(credits) {
      await service.db.asSystem('seed', (tx) =>
        tx
          .updateTable('partnerQuota')
          .set((eb) => ({ used: 0, purchasedCredits: 0, monthlyCredits: eb.val(credits) }))
          .where('partnerId', '=', partnerId)
          .execute(),
      );
    },
    async close() {
      await made.stop();
      await service.close();
      await models.close();
    },
  };
}
