import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import type { Workspace } from '@partner-portal/service/quick-start/seed-workspace.ts';
import { addRival, type Callers, createCallers } from './callers.ts';
import type { Ids } from './route-cases.ts';
import { seedDemo, startSystem, type System } from './system.ts';
import { collectIds } from './tenant-ids.ts';

/** The demo workspace with a rival agency, and a caller of every kind, on one system. `ids`: one of each kind of the
 * workspace. `longestHoldMs`: see loop-watch.ts. */
export type Demo = {
  system: System;
  workspace: Workspace;
  facts: Awaited<ReturnType<typeof addRival>>;
  callers: Callers;
  ids: Ids;
  longestHoldMs: () => Promise<number>;
};

/** Returns what starts the demo at its first call, for all suites of the process, and stops it after the last test. */
export function shareDemo(): () => Promise<Demo> {
  let started: Promise<Demo> | undefined;
  after(async () => (await started)?.system.stop());
  return () => (started ??= startDemo());
}

async function startDemo(): Promise<Demo> {
  const socket = join(mkdtempSync(join(tmpdir(), 'portal-loop-')), 'watch');
  const preload = `--import ${join(import.meta.dirname, 'loop-watch.ts')}`;
  const system = await startSystem({
    endsAtRest: true,
    env: { TRUSTED_PROXIES: '127.0.0.1', NODE_OPTIONS: preload, LOOP_WATCH_SOCKET: socket },
  });
  try {
    const workspace = await seedDemo(system);
    const facts = await addRival(system, workspace);
    const callers = await createCallers(system, facts);
    const ids = await collectIds(system, workspace, `Bearer ${callers.owner.token()}`);
    return { system, workspace, facts, callers, ids, longestHoldMs: () => readSocket(socket) };
  } catch (error) {
    // No one gets it to stop: it would keep the test process from ending.
    await system.kill('SIGKILL');
    throw error;
  }
}

async function readSocket(path: string): Promise<number> {
  return Number(await text(connect(path)));
}
