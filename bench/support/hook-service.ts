import { setTimeout as delay } from 'node:timers/promises';
import { eventIdText } from '@partner-portal/core/webhook/event-id.ts';
import type { DatabaseAddress } from '@partner-portal/service/platform/db/host.ts';
import { createLog } from '@partner-portal/service/platform/log.ts';
import { openDeliveryProcess } from '@partner-portal/tests/harness/delivery-process.ts';
import { publishInvitedIn } from '@partner-portal/tests/harness/deliveries.ts';
import { clockMs } from './clock.ts';

/** The service's reactions and sender in a process that also publishes, as a service process does. */

export type HookSetup = { address: DatabaseAddress; partners: string[] };
export type HookOrder =
  /** One transaction per event, at a fixed rate. */
  | { kind: 'offered'; perSecond: number; seconds: number }
  /** Publishes enough to keep `window` in flight: the highest rate at which the queue does not grow. */
  | { kind: 'window'; window: number; seconds: number };
export type HookAnswer = {
  /** When each event's commit returned. */
  commits: [eventId: string, at: number][];
  statements: number;
  /** Number in flight after one third, two thirds and all of the time. */
  waiting: number[];
  rssMb: number;
};

const PUBLISHERS = 12;

process.once('message', (setup: HookSetup) => void start(setup));
process.on('disconnect', () => process.exit(0));

async function start({ address, partners }: HookSetup): Promise<void> {
  // Logs as in production and discards the output: the cost of a line is part of the measurement.
  const room = openDeliveryProcess(address, createLog('info', { write: () => undefined }));
  let statements = 0;
  let next = 0;
  room.db.onStatement(() => void (statements += 1));
  room.start();
  const publish = (count: number): Promise<string[]> =>
    room.db.asSystem('seed', (tx) =>
      Promise.all(Array.from({ length: count }, () => publishInvitedIn(tx, partners[next++ % partners.length] ?? '', 'pat@example.com'))),
    );
  // As many at once as a service's requests would be; the others wait here, before their commit.
  let publishing = 0;
  const line: (() => void)[] = [];
  const publishOne = async (): Promise<string> => {
    if (publishing >= PUBLISHERS) await new Promise<void>((resolve) => line.push(resolve));
    publishing += 1;
    const [id = ''] = await publish(1).finally(() => {
      publishing -= 1;
      line.shift()?.();
    });
    return id;
  };
  const underWay = async (): Promise<number> => (await room.events.waiting()) + (await room.hooks.waiting());

  const offered = async (order: { perSecond: number; seconds: number }): Promise<HookAnswer> => {
    const commits: [string, number][] = [];
    const waiting: number[] = [];
    const under: Promise<void>[] = [];
    const [beganAt, total] = [performance.now(), order.perSecond * order.seconds];
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.floor(((performance.now() - beganAt) / 1000) * order.perSecond) + 1);
      for (; sent < due; sent += 1)
        under.push(
          publishOne().then((id) => {
            commits.push([eventIdText(id), clockMs()]);
          }),
        );
      if (sent >= ((waiting.length + 1) * total) / 3) waiting.push(await underWay());
      await delay(1);
    }
    await Promise.all(under);
    while ((await underWay()) > 0 && performance.now() - beganAt < (order.seconds + 5) * 1000) await delay(20);
    return { commits, waiting, ...reported() };
  };
  const windowed = async (order: { window: number; seconds: number }): Promise<HookAnswer> => {
    const waiting: number[] = [];
    const beganAt = performance.now();
    const share = (): number => (performance.now() - beganAt) / 1000 / order.seconds;
    while (share() < 1) {
      const now = await underWay();
      if (share() >= (waiting.length + 1) / 3) waiting.push(now);
      const missing = order.window - now;
      if (missing > 0) await Promise.all([publish(Math.ceil(missing / 2)), publish(Math.floor(missing / 2))]);
      else await delay(2);
    }
    waiting.push(await underWay());
    return { commits: [], waiting, ...reported() };
  };
  const reported = () => {
    const answer = { statements, rssMb: Math.round(process.memoryUsage.rss() / 1_048_576) };
    statements = 0;
    return answer;
  };
  process.on('message', (order: HookOrder) => {
    void (order.kind === 'offered' ? offered(order) : windowed(order)).then((answer) => process.send?.(answer));
  });
  process.send?.({ ready: true });
}
