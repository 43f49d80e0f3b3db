import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ExportService, startExportService } from '@partner-portal/tests/harness/exports.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import type { ServerEvent } from '#platform/http/sse.ts';

const DAY_MS = 86_400_000;
let service: ExportService;
let aheadMs = 0;
before(async () => {
  service = await startExportService({ clock: { now: () => new Date(Date.now() + aheadMs) } });
});
after(() => service.close());

const request = (as: Person, body: Record<string, unknown>) => service.call('POST', '/account-export', { as, body });
/** Every test begins without exports. */
const clear = () => service.query('delete from account_export');
const audited = (action: string) =>
  service.query<{ result: string; target_id: string; changes: Record<string, unknown> }>(
    'select result, target_id, changes from audit_entry where action = $1 order by id',
    [action],
  );

describe('an export is requested', () => {
  it('by admins of an agency, by a client for itself, and by staff', async () => {
    await clear();
    const { partnerId, clientId, otherClientId } = service.world;
    const asked: [Person, Record<string, unknown>, string][] = [
      ['owner', { scope: 'partner' }, 'Acme Agency'],
      ['owner', { scope: 'client', clientId: otherClientId }, 'Elm Road Physio'],
      ['clientUser', { scope: 'client' }, 'Oak Street Dental'],
      ['staff', { scope: 'client', clientId }, 'Oak Street Dental'],
    ];
    for (const [as, body, accountName] of asked) {
      const { status, body: record } = await request(as, body);
      assert.deepEqual(
        [status, record.status, record.percent, record.accountName],
        [202, 'pending', 0, accountName],
        `${as} ${JSON.stringify(body)}`,
      );
      assert.equal(record.partnerId, partnerId);
    }
    assert.deepEqual(
      (await request('staff', { scope: 'partner', partnerId: service.world.rivalPartnerId })).body.accountName,
      'Rival Agency',
    );
    assert.equal((await audited('account_export.requested')).length, 5);
  });

  it('by no one else, and for no other account', async () => {
    await clear();
    const { partnerId, clientId, otherClientId, rivalClientId, housePartnerId } = service.world;
    await service.assertRefused(
      'POST',
      '/account-export',
      { moderator: 'partner_role_forbidden', clientUser: 'scope_forbidden' },
      { scope: 'partner' },
    );
    const code = async (as: Person, body: Record<string, unknown>) => (await request(as, body)).body.code;
    assert.equal(await code('owner', { scope: 'client', clientId: rivalClientId }), 'not_found');
    assert.equal(await code('clientUser', { scope: 'client', clientId: otherClientId }), 'not_found');
    assert.equal(await code('owner', { scope: 'partner', partnerId }), 'scope_forbidden');
    assert.equal(await code('owner', { scope: 'client' }), 'validation_failed');
    assert.equal(await code('owner', { scope: 'partner', clientId }), 'validation_failed');
    assert.equal(await code('staff', { scope: 'partner' }), 'validation_failed');
    assert.equal(await code('staff', { scope: 'partner', partnerId: housePartnerId }), 'not_found');
    assert.equal((await request('clientUser', { scope: 'client', clientId })).status, 202);
  });

  it('once at a time for an account, also at the same moment; a client does not wait for its agency', async () => {
    await clear();
    const { clientId } = service.world;
    const together = await Promise.all(Array.from({ length: 6 }, () => request('owner', { scope: 'client', clientId })));
    assert.deepEqual(
      together.map(({ status }) => status).toSorted((a, b) => a - b),
      [202, 409, 409, 409, 409, 409],
    );
    assert.ok(together.every(({ status, body }) => status === 202 || body.code === 'already_pending'));
    assert.equal((await request('clientUser', { scope: 'client' })).status, 202);
  });

  it('five times a day', async () => {
    await clear();
    for (let n = 0; n < 5; n += 1) assert.equal((await service.exported('clientUser', { scope: 'client' })).status, 'ready');
    const sixth = await request('clientUser', { scope: 'client' });
    assert.deepEqual([sixth.status, sixth.body.code], [429, 'rate_limited']);
    assert.equal((await request('otherClientUser', { scope: 'client' })).status, 202);
    await service.exports.makeDue();
    aheadMs += DAY_MS;
    assert.equal((await request('clientUser', { scope: 'client' })).status, 202);
    await service.exports.makeDue();
  });

  it('also while the account is suspended', async () => {
    await clear();
    await service.query(`update partner set status = 'suspended' where id = $1`, [service.world.partnerId]);
    try {
      assert.equal((await service.call('GET', '/auth/me', { as: 'owner' })).status, 200);
      const { id } = await service.exported('owner', { scope: 'partner' });
      assert.equal((await service.download('owner', id)).status, 200);
      assert.equal((await service.call('GET', '/account-export', { as: 'owner' })).body.data.length, 1);
    } finally {
      await service.query(`update partner set status = 'active' where id = $1`, [service.world.partnerId]);
    }
  });
});

describe('exports are listed', () => {
  it('to those of the account; to a client only what it asked for itself', async () => {
    await clear();
    const { clientId } = service.world;
    const whole = await service.exported('owner', { scope: 'partner' });
    const byAgency = await service.exported('owner', { scope: 'client', clientId });
    const own = await service.exported('clientUser', { scope: 'client' });
    const listed = async (as: Person, query = '') =>
      (await service.call('GET', `/account-export${query}`, { as })).body.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await listed('owner'), [own.id, byAgency.id, whole.id]);
    assert.deepEqual(await listed('owner', `?clientId=${clientId}&status=ready`), [own.id, byAgency.id]);
    assert.deepEqual(await listed('clientUser'), [own.id]);
    assert.deepEqual(await listed('rivalOwner'), []);
    for (const path of ['', '/download']) {
      await service.assertRefused('GET', `/account-export/${byAgency.id}${path}`, {
        clientUser: 'not_found',
        otherClientUser: 'not_found',
        rivalOwner: 'not_found',
        moderator: 'partner_role_forbidden',
      });
    }
    assert.equal((await service.download('owner', own.id)).status, 200);
  });

  it('with their requester, staff without a name', async () => {
    await clear();
    const { body } = await request('staff', { scope: 'partner', partnerId: service.world.partnerId });
    assert.equal(body.requestedBy.email, 'staff@portal.test');
    const seen = await service.call('GET', `/account-export/${body.id}`, { as: 'owner' });
    assert.deepEqual(seen.body.requestedBy, { id: null, name: 'Platform staff', email: null });
  });

  it('as they proceed, to those concerned', async () => {
    await clear();
    const follow = async (as: Person) => {
      const seen: ServerEvent[] = [];
      let wake = (): void => undefined;
      const context = { actor: { ...service.actor(as), whileSuspended: true } } as Parameters<
        typeof service.exports.routes.streamExports
      >[1]; // the handler reads the actor only
      const { source } = await service.exports.routes.streamExports({ query: {}, params: {}, body: undefined }, context);
      const stop = await source.open((event) => {
        seen.push(event);
        wake();
      }, null);
      const until = async (id: string, status: string): Promise<void> => {
        const has = () => seen.some(({ data }) => (data as { id: string }).id === id && (data as { status: string }).status === status);
        while (!has()) await new Promise<void>((resolve) => (wake = resolve));
      };
      return { seen, stop, until };
    };
    const [owner, rival] = [await follow('owner'), await follow('rivalOwner')];
    const { id } = await service.exported('owner', { scope: 'partner' });
    await owner.until(id, 'ready');
    const other = await service.exported('rivalOwner', { scope: 'partner' });
    await rival.until(other.id, 'ready');
    assert.ok(rival.seen.every(({ data }) => (data as { id: string }).id === other.id));
    for (const one of [owner, rival]) one.stop();
  });
});

describe('an export that is ready', () => {
  it('is mailed and shown to who asked for it, with the page and not the file', async () => {
    await clear();
    await service.query('delete from notification');
    for (const [as, body, href] of [
      ['owner', { scope: 'partner' }, '/dashboard/settings/account'],
      ['clientUser', { scope: 'client' }, '/client/settings?part=business'],
      ['staff', { scope: 'partner', partnerId: service.world.partnerId }, `/admin/partners/${service.world.partnerId}`],
    ] as const) {
      await service.query(`delete from account_export`);
      await service.query(`delete from mail where kind = 'export_ready'`);
      await service.exported(as, body);
      const [row] = await service.query(`select href, title, body from notification where user_id = $1 and type = 'export_ready'`, [
        service.world.people[as].userId,
      ]);
      assert.equal(row?.['href'], href);
      // The moment of the mail, in the zone of the agency.
      assert.match(String(row?.['body']), /until \w+day, \w+ \d+, \d{4} at \d\d:\d\d UTC\.$/);
      const mails = await service.query(`select to_address from mail where kind = 'export_ready'`);
      assert.deepEqual(mails, [{ to_address: service.world.people[as].email }]);
    }
  });

  it('is downloaded whole or in ranges, each time on record', async () => {
    await clear();
    await service.query(`update partner set name = 'Café  Ümläut & Söhne' where id = $1`, [service.world.partnerId]);
    const { id, sizeBytes } = await service.exported('owner', { scope: 'partner' });
    const before = (await audited('account_export.downloaded')).length;
    const whole = await service.download('owner', id);
    assert.match(whole.headers.get('content-disposition') ?? '', /^attachment; filename="cafe-umlaut-sohne-\d{4}-\d\d-\d\d\.zip"/);
    assert.equal(whole.headers.get('content-type'), 'application/zip');
    assert.equal(whole.headers.get('cache-control'), 'no-store');
    const bytes = Buffer.from(await whole.arrayBuffer());
    assert.equal(bytes.length, sizeBytes);
    const part = await service.download('owner', id, { range: 'bytes=10-29' });
    assert.equal(part.status, 206);
    assert.ok(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 30)));
    assert.equal((await service.download('owner', id, { range: `bytes=${sizeBytes}-` })).status, 416);
    await service.call('GET', `/account-export/${id}/download`, { as: 'moderator' });
    const entries = (await audited('account_export.downloaded')).slice(before);
    assert.deepEqual(
      entries.map(({ result, changes }) => [result, changes['range']?.toString() ?? changes['refusal']?.toString()]),
      [
        ['ok', undefined],
        ['ok', ',bytes=10-29'],
        ['ok', `,bytes=${sizeBytes}-`],
        ['refused', ',partner_role_forbidden'],
      ],
    );
    assert.ok(entries.every(({ target_id }) => target_id === id));
  });

  it('needs a session for each range: after it was revoked, the next one is refused', async () => {
    await clear();
    const { id } = await service.exported('otherClientUser', { scope: 'client' });
    assert.equal((await service.download('otherClientUser', id, { range: 'bytes=0-9' })).status, 206);
    await service.query(`update app_user set sessions_valid_from = now() + interval '90 days' where id = $1`, [
      service.world.people.otherClientUser.userId,
    ]);
    assert.equal((await service.download('otherClientUser', id, { range: 'bytes=10-19' })).status, 401);
  });

  it('is not downloaded before it is ready', async () => {
    await clear();
    const { body } = await request('owner', { scope: 'partner' });
    assert.equal((await service.call('GET', `/account-export/${body.id}/download`, { as: 'owner' })).body.code, 'invalid_state');
  });

  it('expires after seven days: file removed, 410', async () => {
    await clear();
    const { id } = await service.exported('owner', { scope: 'partner' });
    const [{ file_id: fileId } = {}] = await service.query('select file_id from account_export where id = $1', [id]);
    const code = async () => (await service.call('GET', `/account-export/${id}/download`, { as: 'owner' })).body?.code;
    aheadMs += 7 * DAY_MS - 60_000;
    await service.exports.sweep();
    assert.equal((await service.download('owner', id)).status, 200);
    aheadMs += 60_000;
    assert.equal(await code(), 'export_expired', 'also before the sweep');
    await service.exports.sweep();
    assert.equal(await code(), 'export_expired');
    const [row] = await service.query('select status, file_id from account_export where id = $1', [id]);
    assert.deepEqual(row, { status: 'expired', file_id: null });
    const left = await service.query('select from file where id = $1', [fileId]);
    assert.deepEqual(left, []);
  });
});
