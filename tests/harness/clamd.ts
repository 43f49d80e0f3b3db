import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './system.ts';

/** The test file of the antivirus industry, in two parts: scanners of the source tree look for it. */
export const EICAR = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));
export const EICAR_SIGNATURE = 'Portal.Test.EICAR';

const CLAMD = '/usr/sbin/clamd';

/** Whether the package clamav-daemon of Debian is installed. */
export const hasClamd = existsSync(CLAMD);

export type Clamd = { host: string; port: number; close(): Promise<void> };

/** The real clamd, on loopback, with one signature of its own and none of a vendor. */
export async function startClamd(): Promise<Clamd> {
  const folder = await mkdtemp(join(tmpdir(), 'clamd-'));
  const port = await freePort();
  await writeFile(join(folder, 'own.ndb'), `${EICAR_SIGNATURE}:0:0:${EICAR.toString('hex')}\n`);
  const settings = [
    `DatabaseDirectory ${folder}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    `TemporaryDirectory ${folder}`,
    'Foreground yes',
    'MaxThreads 4',
    'StreamMaxLength 4M',
    ...(process.getuid?.() === 0 ? ['User root'] : []),
  ];
  await writeFile(join(folder, 'clamd.conf'), `${settings.join('\n')}\n`);
  const server = spawn(CLAMD, ['--config-file', join(folder, 'clamd.conf')], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(`clamd answers: ${output}`, async () => {
    if (server.exitCode !== null) throw new Error(`clamd ended: ${output}`);
    return isListening(port);
  });
  return {
    host: '127.0.0.1',
    port,
    async close() {
      if (server.exitCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.destroy());
  });
}

export type SmallClamd = Clamd & {
  /** What it received, command by command, a file as its bytes. */
  received: { command: string; bytes: Buffer }[];
  /** Its answer without the zero byte; null closes the connection instead, undefined leaves it open. */
  answer: (bytes: Buffer) => string | null | undefined;
  open(): number;
};

/** A small server that implements the part of clamd's protocol that the client needs, with configurable answers. */
export async function startSmallClamd(): Promise<SmallClamd> {
  const sockets = new Set<Socket>();
  const received: SmallClamd['received'] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    let buffer = Buffer.alloc(0);
    const chunks: Buffer[] = [];
    let command: string | undefined;
    const reply = (answer: string | null | undefined): void => {
      if (answer === null) socket.destroy();
      else if (answer !== undefined) socket.end(`${answer}\0`);
    };
    socket.on('data', (data) => {
      buffer = Buffer.concat([buffer, data]);
      if (command === undefined) {
        const end = buffer.indexOf(0);
        if (end < 0) return;
        command = buffer.subarray(0, end).toString();
        buffer = buffer.subarray(end + 1);
        if (command !== 'zINSTREAM') {
          received.push({ command, bytes: Buffer.alloc(0) });
          return reply(command === 'zPING' ? 'PONG' : 'UNKNOWN COMMAND');
        }
      }
      while (buffer.length >= 4) {
        const length = buffer.readUInt32BE(0);
        if (buffer.length < 4 + length) return;
        if (length === 0) {
          received.push({ command, bytes: Buffer.concat(chunks) });
          return reply(small.answer(Buffer.concat(chunks)));
        }
        chunks.push(buffer.subarray(4, 4 + length));
        buffer = buffer.subarray(4 + length);
      }
    });
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const small: SmallClamd = {
    host: '127.0.0.1',
    port,
    received,
    answer: () => 'stream: OK',
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return small;
}
