import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { invoices } from './index.ts';
import { draft } from './test-drafts.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [invoices(platform), platform.mail] });
});
after(() => service.close());

describe('an invoice', () => {
  it('is issued, read and printed', async () => {
    const { partnerId } = service.world;
    const id = await service.db.asSystem('seed', (tx) => draft(tx, { partnerId }));
    const issued = await service.call('POST', `/billing/invoices/${id}/issue`, { as: 'staff' });
    assert.equal(issued.status, 200, issued.text);
    const pdf = await service.call('GET', `/billing/invoices/${id}/pdf`, { as: 'owner' });
    assert.equal(pdf.status, 200, pdf.text);
    assert.equal((await service.call('GET', `/billing/invoices`, { as: 'owner' })).body.data.length, 1);
    const credit = await service.call('POST', `/billing/invoices/${id}/credit`, {
      as: 'staff',
      body: { lines: [{ description: 'x', unitPriceMinor: 100 }], reason: 'y' },
    });
    assert.equal(credit.status, 201, credit.text);
    assert.equal((await service.call('POST', `/billing/invoices/${id}/pay`, { as: 'staff', body: { reference: 'r' } })).status, 200);
    console.log(
      (await service.call('GET', `/billing/revenue`, { as: 'staff' })).body,
      (await service.call('GET', `/billing/invoices/export.csv`, { as: 'owner' })).text,
    );
  });
});
