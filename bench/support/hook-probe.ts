import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';

/**
 * The bare probe: the upper limit of this machine. Jobs are read from a table in order; each is one POST and one UPDATE of its row, without
 * claims, signatures, fairness, records of attempts or crash safety.
 */

export type ProbeSetup = { address: pg.PoolConfig; origin: string };
export type ProbeOrder = { window: number; seconds: number };

const WORKERS = 64;
const BODY = JSON.stringify({
  id: `evt_${'0'.repeat(26)}`,
  type: 'client_user.invited',
  createdAt: new Date(0),
  data: { text: 'x'.repeat(420) },
});
const HEADERS = { 'content-type': 'application/json' };

process.once('message', (setup: ProbeSetup) => void start(setup));
process.on('disconnect', () => process.exit(0));

async function start({ address, origin }: ProbeSetup): Promise<void> {
  const database = new pg.Pool({ ...address, max: 8, idleTimeoutMillis: 0 });
  const receiver = new Pool(origin, { connections: WORKERS, pipelining: 1 });
  const jobs: { id: string; body: string }[] = [];
  let [under, isOn, last] = [0, false, '00000000-0000-0000-0000-000000000000'];

  const insert = (count: number): Promise<unknown> =>
    database.query({
      name: 'insert',
      text: 'insert into probe_job (body) select $1 from generate_series(1, $2::int)',
      values: [BODY, count],
    });
  const read = async (): Promise<void> => {
    while (isOn) {
      if (jobs.length > 200) {
        await delay(1);
        continue;
      }
      const text = `select id, body from probe_job where status = 'pending' and id > $1 order by id limit 500`;
      const { rows } = await database.query<{ id: string; body: string }>({ name: 'read', text, values: [last] });
      last = rows.at(-1)?.id ?? last;
      jobs.push(...rows);
      if (rows.length === 0) await delay(2);
    }
  };
  const work = async (): Promise<void> => {
    while (isOn) {
      const job = jobs.shift();
      if (!job) {
        await delay(1);
        continue;
      }
      const answer = await receiver.request({ path: '/', method: 'POST', headers: HEADERS, body: job.body });
      await answer.body.dump();
      await database.query({
        name: 'done',
        text: `update probe_job set status = 'delivered', finished_at = now() where id = $1`,
        values: [job.id],
      });
      under -= 1;
    }
  };
  const run = async ({ window, seconds }: ProbeOrder): Promise<void> => {
    isOn = true;
    const all = [read(), ...Array.from({ length: WORKERS }, work)];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      const missing = window - under;
      if (missing >= 50) {
        under += missing;
        await insert(missing);
      }
      await delay(5);
    }
    isOn = false;
    await Promise.all(all);
  };
  process.on('message', (order: ProbeOrder) => void run(order).then(() => process.send?.({ done: true })));
  process.send?.({ ready: true });
}
