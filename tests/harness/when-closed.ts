import type { Socket } from 'node:net';

/** Resolves once a connection has closed, also by a reset, with whose error `once(socket, 'close')` rejects. The error is the caller's to listen for. */
export function whenClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : void socket.once('close', () => resolve())));
}
