import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AI_PROVIDERS, type AiProvider } from '@partner-portal/contract/vocabulary.ts';
import { createLanguageModels } from '#adapters/language-models/index.ts';
import { Secret } from '#platform/secret.ts';
import { startVaultService, type VaultService } from '@partner-portal/tests/harness/vault.ts';
import { type AiProxy, type AiRequest, aiProxy } from './index.ts';

let service: VaultService;
let proxy: AiProxy;

before(async () => {
  const key = new Secret('sk-sandbox-platform');
  service = await startVaultService({
    platformKeys: { openai: key, anthropic: key },
    modulesOf: ({ db, clock, log }, { vault, outbound, baseUrls }) => {
      proxy = aiProxy({
        db,
        clock,
        log,
        credentials: vault,
        callModel: createLanguageModels({ fetch: outbound, baseUrls, timeoutMs: 60_000 }),
        timeoutMs: 60_000,
      });
      return [proxy];
    },
  });
  for (const provider of AI_PROVIDERS)
    await service.call('PUT', `/credentials/${provider}`, { as: 'owner', body: { sourceMode: 'platform' } });
});
after(async () => {
  await proxy.stop();
  await service.close();
});

const MODEL: Record<AiProvider, string> = { openai: 'gpt-4.1-mini', anthropic: 'claude-haiku-4-5' };
const ask = (provider: AiProvider, request: Partial<AiRequest> = {}) =>
  proxy.complete({
    owner: { partnerId: service.world.partnerId, clientId: null },
    purpose: 'proxy',
    provider,
    model: MODEL[provider],
    messages: [{ role: 'user', content: 'When are you open on Saturday?' }],
    maxTokens: 500,
    ...request,
  });

for (const provider of AI_PROVIDERS)
  describe(`a call of ${provider} in the sandbox`, () => {
    it('streams an answer, counts its tokens and charges them', async () => {
      const parts: string[] = [];
      const reply = await ask(provider, { onDelta: (text) => parts.push(text), system: 'You answer for Oak Street Dental.' });
      assert.ok(reply.text.length > 0);
      assert.equal(parts.join(''), reply.text);
      assert.ok(parts.length > 1 && reply.usage.inputTokens > 0 && reply.usage.outputTokens > 0);
      assert.deepEqual([reply.usage.isEstimated, reply.sourceMode, reply.creditsCharged > 0], [false, 'platform', true]);
    });

    it('of an unknown model is refused at the model', async () => {
      await assert.rejects(
        ask(provider, { model: 'no-such-model' }),
        (error: { code?: string; extras?: { errors?: { field: string }[] } }) => {
          assert.deepEqual([error.code, error.extras?.errors?.[0]?.field], ['validation_failed', 'model']);
          return true;
        },
      );
    });
  });
