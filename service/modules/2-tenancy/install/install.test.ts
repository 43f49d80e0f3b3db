import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { installToken } from '@partner-portal/core/tenancy/install.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import { media } from '#modules/2-tenancy/media/index.ts';
import { startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { install } from './index.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ modules: (platform) => [install(platform), media({ ...platform, readerTag })] });
});
after(() => service.close());

const links = async () => {
  const reply = await service.call('GET', '/clients/me/install', { as: 'clientUser' });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const manifest = async () => (await service.call('GET', (await links()).manifestUrl)).body;
/** The bytes of an icon: the reply's text is not. */
const iconOf = async (path: string): Promise<Buffer> => {
  const origin = await listening();
  const response = await fetch(`${origin}${path}`);
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png']);
  return Buffer.from(await response.arrayBuffer());
};
let origin: string | undefined;
const listening = async (): Promise<string> => (origin ??= await service.listen());
const brand = (change: Record<string, unknown>) =>
  service.db.asSystem('seed', (tx) => tx.updateTable('partner').set(change).where('id', '=', service.world.partnerId).execute());

describe('the manifest of a client portal', () => {
  it('names the agency, its colour and its start page', async () => {
    await brand({ brandColor: '#1f4e8c' });
    const { manifestUrl, touchIconUrl, themeColor } = await links();
    const reply = await service.call('GET', manifestUrl);
    const { body } = reply;
    assert.deepEqual(
      [body.name, body.start_url, body.display, body.theme_color],
      ['Acme Agency', '/client?source=installed', 'standalone', themeColor.light],
    );
    assert.match(touchIconUrl, /^\/brand-icons\/[^/]+\/touch\.png\?v=/);
    assert.deepEqual(
      body.icons.map(({ sizes, purpose }: { sizes: string; purpose: string }) => [sizes, purpose]),
      [
        ['192x192', 'any'],
        ['512x512', 'any'],
        ['512x512', 'maskable'],
      ],
    );
    await service.assertRefused('GET', '/clients/me/install', { owner: 'role_forbidden', staff: 'role_forbidden' });
  });

  it('answers without a session by its token only, and says nothing of any other agency', async () => {
    const { manifestUrl } = await links();
    assert.equal((await service.call('GET', manifestUrl)).status, 200);
    const forged = installToken('another secret', service.world.rivalPartnerId);
    for (const token of [forged, service.world.rivalPartnerId, 'acme', installToken('another secret', service.world.partnerId)]) {
      assert.equal((await service.call('GET', `/manifest.webmanifest?agency=${token}`)).body.code, 'not_found', token);
      assert.equal((await service.call('GET', `/brand-icons/${token}/192.png`)).body.code, 'not_found', token);
    }
    const house = installToken(service.callbackSecret.reveal(), service.world.housePartnerId);
    assert.equal((await service.call('GET', `/manifest.webmanifest?agency=${house}`)).body.code, 'not_found');
  });
});

describe('its icons', () => {
  it('are PNGs of their sizes, drawn again when the brand changes', async () => {
    await brand({ brandColor: '#1f4e8c' });
    const first = await manifest();
    const icons: { src: string; sizes: string }[] = first.icons;
    for (const { src, sizes } of [...icons, { src: (await links()).touchIconUrl, sizes: '180x180' }]) {
      const { format, width, height } = await sharp(await iconOf(src)).metadata();
      assert.deepEqual([format, `${width}x${height}`], ['png', sizes]);
    }
    const corner = async (bytes: Buffer): Promise<number[]> => {
      const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      return [...data.subarray(0, 3)];
    };
    const before = await iconOf(icons[0]?.src ?? '');
    const { channels } = await sharp(before).removeAlpha().stats();
    assert.ok(
      channels.some(({ stdev }) => stdev > 5),
      'the initial stands out from its ground',
    );
    await brand({ brandColor: '#a02020' });
    const second = await manifest();
    assert.notEqual(second.icons[0].src, icons[0]?.src);
    assert.notDeepEqual(await corner(await iconOf(second.icons[0].src)), await corner(before));
  });

  it('show the logo where there is one', async () => {
    const red = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#e00000' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('purpose', 'logo');
    form.set('file', new File([new Uint8Array(red)], 'logo.png', { type: 'image/png' }));
    const uploaded = await fetch(`${await listening()}/media`, { method: 'POST', headers: service.bearer('owner'), body: form });
    const made = (await uploaded.json()) as { id: string };
    assert.equal(uploaded.status, 201, JSON.stringify(made));
    await brand({ logoMediaId: made.id });
    const body = await manifest();
    const { data, info } = await sharp(await iconOf(body.icons[2].src))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number): number[] => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    assert.deepEqual(at(2, 2), [255, 255, 255]);
    const [r = 0, g = 255] = at(256, 256);
    assert.ok(r > 200 && g < 40, 'the middle is the logo');
  });

  it('show the initial where the file of the logo is gone', async () => {
    await brand({ brandColor: '#1f4e8c' });
    await service.db.asSystem('seed', async (tx) => void (await sql`delete from file_chunk`.execute(tx)));
    await brand({ name: 'Birch Agency' });
    const { data, info } = await sharp(await iconOf((await manifest()).icons[1].src))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.equal(info.width, 512);
    const [r = 255] = data.subarray((256 * 512 + 8) * 3);
    assert.ok(r < 100, 'the ground of the initial, not the white one of a logo');
  });
});
