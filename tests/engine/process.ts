import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ENGINE_NODE_FLAGS } from '@partner-portal/engine/options.ts';
import type { EngineOptionsInput } from '@partner-portal/engine/options.ts';

const MAIN = fileURLToPath(import.meta.resolve('@partner-portal/engine/main.ts'));

/** Shares compiled code between the processes of the tests. */
const COMPILED: Record<string, string> = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled-engine'),
};

export type EngineProcess = {
  base: string;
  pid: number;
  /** Whether the process has not exited. */
  isRunning: () => boolean;
  kill: () => Promise<void>;
  stop: () => Promise<number | null>;
  closeStdin: () => Promise<number | null>;
  /** Resolves once nothing listens any more. */
  unreachable: () => Promise<void>;
};

/** The engine as the service starts it: a process of its own, options on stdin, readiness on stdout. Later `flags` override its own. */
export async function spawnEngine(options: EngineOptionsInput, flags: readonly string[] = []): Promise<EngineProcess> {
  const child = spawn(process.execPath, [...ENGINE_NODE_FLAGS, ...flags, MAIN], { env: COMPILED, stdio: ['pipe', 'pipe', 'pipe'] });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const exited = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  child.stdin.write(`${JSON.stringify(options)}\n`);
  const first = await Promise.race([ready, exited.then(() => undefined)]);
  if (first === undefined) throw new Error(`the engine ended before it was ready: ${errors.join('\n')}`);
  const { port } = JSON.parse(String(first[0])) as { port: number };
  const ended = async (): Promise<number | null> => (await exited)[0] as number | null;
  return {
    base: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: () => {
      child.kill('SIGTERM');
      return ended();
    },
    unreachable: async () => {
      for (;;) {
        const reached = await fetch(`http://127.0.0.1:${port}/api/v1/health`).then(
          () => true,
          () => false,
        );
        if (!reached) return;
      }
    },
    closeStdin: () => {
      child.stdin.end();
      return ended();
    },
  };
}

/** Starts an engine that must refuse to; resolves with its log once it has ended. */
export async function spawnRefused(line: string): Promise<{ code: number | null; log: string }> {
  const child = spawn(process.execPath, [MAIN], { env: COMPILED, stdio: ['pipe', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  child.stdin.write(`${line}\n`);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, log };
}
