import type { AiRequest } from '@partner-portal/service/modules/3-product/ai-proxy/index.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { openAiProcess } from '../harness/ai-process.ts';

export type AiTask = { address: DatabaseAddress; modelsUrl: string; request: AiRequest };

/** Calls a model as a child process and sends the reply: what the tests of metering kill. */
process.once('message', ({ address, modelsUrl, request }: AiTask) => {
  void openAiProcess(address, modelsUrl)
    .proxy.complete(request)
    .then((reply) => process.send?.(reply, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
