import type { DirectRequest } from '@partner-portal/service/modules/3-product/executions/index.ts';
import { type DirectAddresses, openDirectProcess } from '../harness/direct-process.ts';

export type DirectTask = DirectAddresses & { request: DirectRequest };

/** Runs one agent directly as a child process and sends the result: what the tests of direct runs kill. */
process.once('message', ({ request, ...addresses }: DirectTask) => {
  void openDirectProcess(addresses)
    .run(request)
    .then((result) => process.send?.(result, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(0));
