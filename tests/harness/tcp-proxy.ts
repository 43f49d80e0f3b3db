import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy that a test owns, between a process and what it connects to. */
export type TcpProxy = {
  port: number;
  /** Connections go to these in turn; one that nothing listens on is passed over. */
  setTargets(targets: readonly Target[]): void;
  /** Ends every connection, as a proxy does when it has moved to another server. */
  endConnections(): void;
  /** Leaves every connection open without ever answering on it, as when the machine behind it has lost its power. */
  silence(): void;
  /** Passes no byte on and answers no new connection, as a network without its cable, until `restore`. Nothing that was sent is lost. */
  cut(): void;
  restore(): void;
  /** How many new connections wait for `restore`. */
  waiting(): number;
  close(): Promise<void>;
};

/** A port of this machine, or the path of a socket. */
type Target = number | string;
type Pair = { client: Socket; server: Socket | undefined };

export async function startTcpProxy(first: readonly Target[] = []): Promise<TcpProxy> {
  let targets = first;
  let turn = 0;
  let isCut = false;
  const pairs = new Set<Pair>();
  const silent = new Set<Socket>();
  const waiting = new Set<Socket>();

  const open = (client: Socket): void => {
    const pair: Pair = { client, server: undefined };
    pairs.add(pair);
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      pair.server?.destroy();
    };
    client.once('close', end);
    const dial = (left: number): void => {
      const target = targets[turn++ % Math.max(targets.length, 1)];
      if (target === undefined || left === 0 || client.destroyed) return end();
      const server = connect(typeof target === 'string' ? { path: target } : { host: '127.0.0.1', port: target, noDelay: true });
      server.once('error', () => dial(left - 1));
      server.once('connect', () => {
        server.removeAllListeners('error').on('error', end).once('close', end);
        pair.server = server;
        client.on('data', (bytes) => server.write(bytes));
        server.on('data', (bytes) => client.write(bytes));
        client.once('end', () => server.end());
        server.once('end', () => client.end());
        if (isCut) server.pause();
        else client.resume();
      });
    };
    dial(targets.length);
  };
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on('error', () => undefined);
    client.pause();
    if (isCut) waiting.add(client);
    else open(client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const endConnections = (): void => {
    for (const { client, server } of pairs) for (const socket of [client, server]) socket?.destroy();
    for (const client of silent) client.destroy();
    silent.clear();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    setTargets: (next) => void (targets = next),
    endConnections,
    silence() {
      for (const pair of pairs) {
        pairs.delete(pair);
        silent.add(pair.client.removeAllListeners('close').removeAllListeners('data'));
        pair.client.resume();
        pair.server?.removeAllListeners('close').destroy();
      }
    },
    cut() {
      isCut = true;
      for (const { client, server } of pairs) for (const socket of [client, server]) socket?.pause();
    },
    restore() {
      isCut = false;
      for (const { client, server } of pairs) if (server !== undefined) for (const socket of [client, server]) socket.resume();
      for (const client of waiting) open(client);
      waiting.clear();
    },
    waiting: () => waiting.size,
    async close() {
      endConnections();
      for (const client of waiting) client.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
