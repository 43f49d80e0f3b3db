import assert from 'node:assert/strict';
import { HELD_KINDS, heldNow } from '@partner-portal/service/platform/held.ts';

export type Gauges = Record<string, number>;

/** Reads these gauges of a process, and no others, by name, labels included. */
export async function readGauges(metricsPort: number, names: readonly string[]): Promise<Gauges> {
  const query = new URLSearchParams(names.map((name) => ['name[]', name]));
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics?${query}`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

const HELD_GAUGES = [...HELD_KINDS, 'isolates'].map((kind) => `portal_held_${kind}`);

/** Returns the resources that a running process holds, as `name amount`. Every counted resource has a gauge. */
export async function readHeld(metricsPort: number): Promise<string[]> {
  const held = Object.entries(await readGauges(metricsPort, HELD_GAUGES));
  assert.equal(held.length, HELD_GAUGES.length, 'a gauge is missing');
  // No number: this process has no such resource, as one that only serves has no engine.
  return held
    .filter(([, amount]) => amount !== 0 && !Number.isNaN(amount))
    .map(([name, amount]) => `${name.slice('portal_held_'.length)} ${amount}`);
}

/** Asserts that this process, whose services have ended, holds nothing. */
export function assertNothingHeldHere(): void {
  assert.deepEqual(
    HELD_KINDS.filter((kind) => heldNow(kind) !== 0).map((kind) => `${kind} ${heldNow(kind)}`),
    [],
  );
}
