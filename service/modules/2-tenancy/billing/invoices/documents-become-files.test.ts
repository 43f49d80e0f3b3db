import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { readWhole } from '#modules/1-ledger/files/index.ts';
import { readUpgradeStep } from '@partner-portal/tests/harness/old-database.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { draft } from './test-drafts.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const query = (text: string, values?: unknown[]) => service.database.query(text, values);

describe('documents from before they were files', () => {
  it('are copied whole, whatever their size, and are as fixed as before', async () => {
    const { partnerId } = service.world;
    await query('alter table invoice_document drop column file_id, add content bytea not null, add sha256 bytea not null');
    const contents = [7, 262_144, 262_145, 700_000].map((size) => randomBytes(size));
    const ids: string[] = [];
    for (const content of contents) {
      const id = await service.db.asSystem('seed', (tx) => draft(tx, { partnerId }));
      ids.push(id);
      await query('insert into invoice_document (invoice_id, partner_id, content, sha256) values ($1, $2, $3, sha256($3))', [
        id,
        partnerId,
        content,
      ]);
    }
    await query(await readUpgradeStep('0131-invoice-files'));
    for (const [index, id] of ids.entries()) {
      const content = contents[index];
      assert.ok(content);
      const [row] = await query('select file_id from invoice_document where invoice_id = $1', [id]);
      const file = await service.db.asTenant({ kind: 'tenant', partnerId, clientId: null }, (tx) => service.files.find(tx, row.file_id));
      assert.ok(file);
      assert.ok(Buffer.from(await readWhole(service.files, file)).equals(content));
      assert.deepEqual(file.sha256, createHash('sha256').update(content).digest());
      await assert.rejects(query('delete from invoice_document where invoice_id = $1', [id]), { code: 'PB409' });
    }
  });
});
