import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ExportService, startExportService } from '@partner-portal/tests/harness/exports.ts';
import { assertPurged, makeDue, purgeDeps, runPurgeUntil } from '@partner-portal/tests/harness/purge.ts';
import { sweepPurges } from './work-through.ts';

let service: ExportService;
before(async () => {
  service = await startExportService();
});
after(() => service?.close());

it('a client whose purge is under way is in no export of its agency that outlives the purge', async () => {
  const { partnerId, otherClientId: clientId, otherClientName: name } = await namedWorld();
  const requestId = await makeDue(service, partnerId, clientId);
  const deps = purgeDeps(service);
  await sweepPurges(deps);
  const made: string[] = [];
  for (const step of ['delete_rows', 'delete_files', 'end_sessions'] as const) {
    await runPurgeUntil(service, deps, requestId, step);
    const { id } = await service.exported('owner', { scope: 'partner' });
    assert.ok((await service.unpack('owner', id)).text.includes(name), `after ${step} the client still has its name`);
    made.push(id);
  }
  const files = await service.query<{ id: string }>('select file_id as id from account_export where id = any($1)', [made]);
  await runPurgeUntil(service, deps, requestId);
  await assertPurged(service, requestId);
  const states = await service.query('select status, file_id from account_export where id = any($1)', [made]);
  assert.deepEqual(
    states,
    made.map(() => ({ status: 'expired', file_id: null })),
  );
  assert.deepEqual(await service.query('select id from file where id = any($1)', [files.map(({ id }) => id)]), []);
  for (const id of made) assert.equal((await service.download('owner', id)).status, 410);
  const later = await service.exported('owner', { scope: 'partner' });
  assert.ok(!(await service.unpack('owner', later.id)).text.includes(name));
});

async function namedWorld() {
  const { partnerId, otherClientId } = service.world;
  const otherClientName = 'Quillfeather Joinery';
  await service.query('update client set name = $2 where id = $1', [otherClientId, otherClientName]);
  return { partnerId, otherClientId, otherClientName };
}
