import assert from 'node:assert/strict';
import { HELD_KINDS, heldNow } from '@partner-portal/service/platform/held.ts';
import { until } from './system.ts';

export type Gauges = Record<string, number>;

/** Reads the gauges of a process by name, labels included. */
export async function readGauges(metricsPort: number): Promise<Gauges> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

/** What is held of a running process, as `name amount`. Every counted resource has a gauge. */
export async function readHeld(metricsPort: number): Promise<string[]> {
  const held = Object.entries(await readGauges(metricsPort)).filter(([name]) => name.startsWith('portal_held_'));
  assert.ok(held.length > HELD_KINDS.length, 'a gauge is missing');
  // No number: this process has no such resource, as one that only serves has no engine.
  return held
    .filter(([, amount]) => amount !== 0 && !Number.isNaN(amount))
    .map(([name, amount]) => `${name.slice('portal_held_'.length)} ${amount}`);
}

/** Waits until a running process holds nothing: what it still works on ends by itself, what has leaked never does. */
export async function untilNothingHeld(metricsPort: number): Promise<void> {
  await until('the process holds nothing', async () => {
    const held = await readHeld(metricsPort);
    if (held.length > 0) throw new Error(`It holds ${held.join(', ')}.`);
    return true;
  });
}

/** Asserts that this process, whose services have ended, holds nothing. */
export function assertNothingHeldHere(): void {
  assert.deepEqual(
    HELD_KINDS.filter((kind) => heldNow(kind) !== 0).map((kind) => `${kind} ${heldNow(kind)}`),
    [],
  );
}
