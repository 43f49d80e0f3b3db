import { createLog } from '@partner-portal/service/platform/log.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { openDeliveryProcess } from '../harness/delivery-process.ts';

/** The engine room in a process of its own: gets ready when it is told where the database is, works when it is told to. */
let room: ReturnType<typeof openDeliveryProcess> | undefined;

process.on('message', (message: { address: DatabaseAddress } | 'go') => {
  if (message === 'go') room?.start();
  else {
    room = openDeliveryProcess(message.address, createLog('silent'));
    void room.db.isUp(10_000).then(() => process.send?.('ready'));
  }
});
process.on('disconnect', () => process.exit(0));
