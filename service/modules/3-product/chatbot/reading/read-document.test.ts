import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { z } from 'zod';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, type Person } from '@partner-portal/tests/harness/world.ts';
import { ComputeRefusal } from '#platform/compute/compute-pool.ts';
import { defineJob, handleJob } from '#platform/jobs/define-job.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import { chatbot, type Chatbot } from '../index.ts';
import { readDocuments } from './read-document.ts';

/** Readings of the documents of several agencies: what runs meanwhile, in which order, and what a reading that fails costs the others. */

const HANGS_MS = 120_000;
let service: TestService;
let bots: Chatbot;
let runner: JobRunner;
let origin: string;
/** Agencies whose documents were read, in order. */
let order: string[] = [];
/** Before each reading; `title` names the document. */
let beforeReading: (title: string) => Promise<void>;

before(async () => {
  service = await startTestService({
    modules: (platform) => {
      const compute: typeof platform.compute = {
        ...platform.compute,
        run: (task, input, request) => {
          order.push(request.key);
          return beforeReading(titleOf(input)).then(() => platform.compute.run(task, input, request));
        },
      };
      bots = chatbot({ ...platform, compute, publicBaseUrl: platform.baseUrl });
      return [bots];
    },
  });
  runner = createRunner({ address: service.database.configFor('portal_queue'), jobs: bots.jobs, crons: bots.crons, log: service.log });
  origin = await service.listen();
});
after(async () => {
  await runner.stop(0);
  await service.close();
});
beforeEach(async () => {
  beforeReading = () => Promise.resolve();
  await runner.drain();
  order = [];
});

function titleOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'title' in input ? String(input.title) : '';
}

async function upload(as: Person, clientId: string, title: string): Promise<string> {
  const form = new FormData();
  form.append('clientId', clientId);
  form.append('file', new Blob([`About ${title}.`]), `${title}.txt`);
  const response = await fetch(`${origin}/chatbot/knowledge`, { method: 'POST', body: form, headers: service.bearer(as) });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return JSON.parse(text).id;
}
const documents = () => service.db.asSystem('seed', (tx) => tx.selectFrom('knowledgeDocument').selectAll().orderBy('id').execute());
const statusOf = async (id: string) => (await documents()).find((one) => one.id === id)?.status;
const queueAgain = () => runner.runCron('chatbot.end_forgotten_readings');

describe('documents of one agency', () => {
  it('that are read slowly hold one worker, and jobs of others run meanwhile', { timeout: HANGS_MS }, async () => {
    const { partnerId } = service.world;
    for (let n = 0; n < 2; n += 1) {
      const clientId = await service.db.asSystem('seed', (tx) => addClient(tx, partnerId, `Slow ${n}`));
      for (let file = 0; file < 14; file += 1) await upload('owner', clientId, `Slow ${file}`);
    }
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    beforeReading = () => {
      begun.resolve();
      return gate.promise;
    };
    const other = defineJob('test.other_agency', z.object({}));
    const ran = Promise.withResolvers<void>();
    const working = createRunner({
      address: service.database.configFor('portal_queue'),
      jobs: [...bots.jobs, handleJob(other, async () => ran.resolve())],
      crons: [],
      log: service.log,
    });
    await working.start();
    try {
      await begun.promise;
      await service.db.asSystem('seed', (tx) => enqueue(tx, other, {}));
      await ran.promise;
      assert.equal(order.length, 1);
    } finally {
      gate.resolve();
      await working.stop(HANGS_MS);
    }
    await runner.drain();
    assert.deepEqual([...new Set((await documents()).map(({ status }) => status))], ['ready']);
  });

  it('take turns with those of another, which were queued later', async () => {
    const { partnerId, clientId, rivalPartnerId, rivalClientId } = service.world;
    // Their profiles are read before.
    await upload('owner', clientId, 'First');
    await upload('rivalOwner', rivalClientId, 'First');
    await runner.drain();
    order = [];
    for (let n = 0; n < 5; n += 1) await upload('owner', clientId, `Mine ${n}`);
    for (let n = 0; n < 2; n += 1) await upload('rivalOwner', rivalClientId, `Theirs ${n}`);
    await runner.drain();
    assert.deepEqual(order.slice(0, 4).toSorted(), [partnerId, partnerId, rivalPartnerId, rivalPartnerId].toSorted());
    assert.notEqual(order[0], order[1]);
    assert.notEqual(order[1], order[2]);
    assert.deepEqual(order.slice(4), [partnerId, partnerId, partnerId]);
  });
});

describe('a document whose reading fails', () => {
  it('leaves the others theirs, is tried four times, and then says so', async () => {
    const { clientId, rivalClientId } = service.world;
    beforeReading = (title) => (title === 'Busy' ? Promise.reject(new ComputeRefusal('full')) : Promise.resolve());
    const busy = await upload('owner', clientId, 'Busy');
    const own = await upload('owner', clientId, 'Own');
    const theirs = await upload('rivalOwner', rivalClientId, 'Theirs');
    const handler = bots.jobs[0];
    const context = { log: service.log, signal: new AbortController().signal, attempt: 1 };
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await assert.rejects(async () => handler?.run({}, context));
      assert.deepEqual([await statusOf(busy), await statusOf(own), await statusOf(theirs)], ['pending', 'ready', 'ready']);
    }
    await handler?.run({}, context);
    assert.equal(await statusOf(busy), 'failed');
  });

  it('because its process ended is not read a fifth time; one that lost its job is', async () => {
    const { clientId } = service.world;
    const deadly = await upload('owner', clientId, 'Deadly');
    const lost = await upload('owner', clientId, 'Lost');
    await service.db.asSystem('seed', async (tx) => {
      await tx.updateTable('knowledgeDocument').set({ attempts: 4 }).where('id', '=', deadly).execute();
    });
    await runner.drain();
    assert.deepEqual([await statusOf(deadly), await statusOf(lost)], ['pending', 'ready']);
    await service.db.asSystem('seed', async (tx) => {
      await tx
        .updateTable('knowledgeDocument')
        .set({ updatedAt: new Date(0) })
        .where('id', '=', deadly)
        .execute();
      await tx.updateTable('knowledgeDocument').set({ status: 'pending' }).where('id', '=', lost).execute();
    });
    await queueAgain();
    await runner.drain();
    assert.deepEqual([await statusOf(deadly), await statusOf(lost)], ['failed', 'ready']);
  });

  it('because the service stops is read by the next process', async () => {
    const { clientId } = service.world;
    const stopping = new AbortController();
    const [first, second] = [await upload('owner', clientId, 'Before'), await upload('owner', clientId, 'After')];
    const compute: typeof service.compute = {
      ...service.compute,
      run: (task, input, request) => service.compute.run(task, input, request).finally(() => stopping.abort()),
    };
    await readDocuments({ ...service, compute, publicBaseUrl: '' }, { signal: stopping.signal });
    assert.deepEqual([await statusOf(first), await statusOf(second)], ['ready', 'pending']);
    await runner.drain();
    assert.equal(await statusOf(second), 'ready');
  });
});
