import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetsOf, createGate, createIntakeRoom, createRooms, heapOfRun } from './memory.ts';

const MIB = 1024 * 1024;
const running = new AbortController().signal;
/** Lets everything that can go on go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is held together stays within the heap, from small heaps to large ones', () => {
  for (const limit of [120, 134, 256, 512, 4_096].map((size) => size * MIB)) {
    const { runs, answers, runBytesMax, answerBytesMax, eventBytesMax, intakeBytes, inputsKeptBytes } = budgetsOf(limit);
    const idle = 64 * MIB;
    const largestParse = heapOfRun(eventBytesMax);
    assert.ok(runs + answers + largestParse / 2 + 2 * (intakeBytes + inputsKeptBytes) <= Math.max(limit - idle, 32 * MIB) * 1.1);
    assert.ok(heapOfRun(runBytesMax) <= runs / 2, 'a run at its limit fits into the share of one key');
    assert.ok(heapOfRun(answerBytesMax) <= answers + MIB, 'an answer at its limit fits');
    assert.ok(eventBytesMax >= 256 * 1024 && runBytesMax >= 256 * 1024, 'the largest event of the service is taken and can run');
  }
  assert.equal(budgetsOf(518 * MIB).answerBytesMax, 2 * MIB);
});

test('a gate lets in what fits, by turns between keys, and the rest when room is given back', async () => {
  const gate = createGate(100, 60);
  const order: string[] = [];
  const enter = (key: string, bytes: number): Promise<() => void> =>
    gate.enter(key, bytes, running).then((leave) => {
      order.push(`${key}${bytes}`);
      return leave;
    });
  const first = await enter('a', 60);
  void enter('a', 50);
  void enter('b', 45);
  void enter('c', 30);
  await turn();
  assert.deepEqual(order, ['a60', 'c30']);
  first();
  first();
  await turn();
  assert.deepEqual(order, ['a60', 'c30', 'b45']);
});

test('a wait that is aborted rejects and takes no room', async () => {
  const gate = createGate(10, 10);
  const leave = await gate.enter('a', 10, running);
  const stop = new AbortController();
  const waiting = gate.enter('a', 10, stop.signal);
  stop.abort(new Error('deleted'));
  await assert.rejects(waiting, /deleted/);
  leave();
  (await gate.enter('b', 10, running))();
});

test('a step holds its room until it leaves; small answers need none', async () => {
  const rooms = createRooms(budgetsOf(134 * MIB));
  const one = rooms.forStep('a', running);
  const other = rooms.forStep('b', running);
  await one.forAnswer(one.answerBytesMax);
  await other.forAnswer(100);
  let isIn = false;
  void other.forAnswer(other.answerBytesMax).then(() => (isIn = true));
  await turn();
  assert.equal(isIn, false);
  one.leave();
  await turn();
  assert.equal(isIn, true);
});

test('events that are being received are counted in bytes: one key takes half, others still pass', () => {
  const budgets = budgetsOf(134 * MIB);
  const room = createIntakeRoom(budgets);
  const size = Math.floor(budgets.intakeBytes / 8);
  const taken = Array.from({ length: 8 }, () => room.enter('big', size)).filter((leave) => leave !== undefined);
  assert.equal(taken.length, 4);
  assert.ok(room.enter('small', size));
  taken[0]?.();
  assert.ok(room.enter('big', size));
});
