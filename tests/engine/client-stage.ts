import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import {
  createEngineClient,
  type EngineClient,
  type EngineErrorKind,
  isEngineError,
} from '@partner-portal/service/adapters/engine-client.ts';
import type { HttpSend } from '@partner-portal/service/adapters/engine-client.ts';
import { createEngineSend } from '@partner-portal/service/adapters/engine/engine-send.ts';
import { createInternalFetch } from '@partner-portal/service/platform/outbound/internal-fetch.ts';
import { Secret } from '@partner-portal/service/platform/secret.ts';
import { type ReplayEngine, startReplayEngine } from '../harness/replay-engine.ts';

export const PROJECT = 'fUES4oFx5MEwhGmVNYO2H';
export const FLOW = 'SjLg3ng5R1qd2nBStml9D';
/** A UUID version 7, as every execution's id. */
export const EXECUTION = '019aac00-0000-7000-8000-000000000001';
export const SIGN_IN = 'POST /api/v1/authentication/sign-in';
export const PROJECTS = 'GET /api/v1/projects';
export const UPSERT = 'POST /api/v1/app-connections';

/** Our client before a replaying engine: both fresh for each test, `now` is the client's clock. */
export type ClientStage = { engine: ReplayEngine; client: EngineClient; now: Date; outbound: ReturnType<typeof createInternalFetch> };

export const stage = {} as ClientStage; // filled before each test

/** Fills the stage before each test of the file that calls it: files share a process. */
export function useClientStage(): void {
  let running: ReplayEngine | undefined;
  before(() => void (stage.outbound = createInternalFetch(() => true)));
  after(async () => {
    await running?.close();
    await stage.outbound.close();
  });
  beforeEach(async () => {
    await running?.close();
    running = await startReplayEngine();
    Object.assign(stage, { engine: running, now: new Date(), client: clientFor(running.url) });
  });
}

export function clientFor(url: string | null, send: HttpSend = createEngineSend(stage.outbound)): EngineClient {
  return createEngineClient({
    baseUrl: () => url,
    account: { email: 'engine-admin@example.com', password: new Secret('a-good-password') },
    send,
    clock: { now: () => stage.now },
  });
}

export const ofKind = (kind: EngineErrorKind) => (error: unknown) =>
  isEngineError(error, kind) || assert.fail(`expected ${kind}, got ${String(error)}`);
