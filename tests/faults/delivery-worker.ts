import { createLog } from '@partner-portal/service/platform/log.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { openDeliveryProcess } from '../harness/delivery-process.ts';

/** Webhook delivery as a child process: prepares on the message with the database address, starts on `go`. */
let deliveries: ReturnType<typeof openDeliveryProcess> | undefined;

process.on('message', (message: { address: DatabaseAddress } | 'go') => {
  if (message === 'go') deliveries?.start();
  else {
    deliveries = openDeliveryProcess(message.address, createLog('silent'));
    void deliveries.db.isUp(10_000).then(() => process.send?.('ready'));
  }
});
process.on('disconnect', () => process.exit(0));
