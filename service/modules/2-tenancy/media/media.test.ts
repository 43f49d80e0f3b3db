import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { assertDeclared } from '@partner-portal/tests/harness/declared-errors.ts';
import { type Body, startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import type { Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import sharp from 'sharp';
import { files } from '#modules/1-ledger/files/index.ts';
import { readerTag } from '#modules/2-tenancy/identity/index.ts';
import { partners } from '#modules/2-tenancy/partners/index.ts';
import { team } from '#modules/2-tenancy/team/index.ts';
import { media } from './index.ts';
import { animatedPng, animatedWebp, directoryBomb, hugePng, jpeg, jpegOfPasses, pdf, photo, png, webp, ZIP } from './test-files.ts';

let service: TestService;
let origin: string;
before(async () => {
  service = await startTestService({
    modules: (platform) => {
      const { store } = files(platform);
      return [media({ ...platform, files: store, readerTag }), partners(platform), team(platform)];
    },
  });
  origin = await service.listen();
});
after(() => service.close());

type Sent = { file?: Uint8Array; name?: string; type?: string; fields?: Record<string, string> };
async function upload(as: Person | null, { file, name = 'picture.png', type = 'image/png', fields = {} }: Sent) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (file) form.append('file', new Blob([new Uint8Array(file)], { type }), name);
  const response = await fetch(`${origin}/media`, { method: 'POST', body: form, headers: as ? service.bearer(as) : {} });
  const text = await response.text();
  if (response.status >= 400) assertDeclared('POST', '/media', text);
  return { status: response.status, body: JSON.parse(text) as Body };
}
async function get(url: string, as?: Person, headers: Record<string, string> = {}) {
  const response = await fetch(origin + url, { headers: { ...(as ? service.bearer(as) : {}), ...headers } });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
const general = async (as: Person, fields = {}) => (await upload(as, { file: await png(), fields })).body;
/** Rows of media, files and chunks. */
const countRows = () =>
  service.db.asSystem('seed', async (tx) => {
    const rows = await Promise.all(
      (['media', 'mediaVariant', 'file', 'fileChunk'] as const).map((table) =>
        tx
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      ),
    );
    return rows.map(({ n }) => n);
  });

describe('an image', () => {
  it('is judged by its bytes, whatever its name and declared type', async () => {
    for (const [file, contentType, filename] of [
      [await png(), 'image/png', 'picture.png'],
      [await jpeg(), 'image/jpeg', 'picture.jpg'],
      [await webp(), 'image/webp', 'picture.webp'],
      [await pdf(), 'application/pdf', 'picture.pdf'],
    ] as const) {
      const { status, body } = await upload('owner', { file, name: '../x/picture.exe', type: 'text/html' });
      assert.equal(status, 201, JSON.stringify(body));
      assert.deepEqual(
        [body.contentType, body.filename, body.width],
        [contentType, filename, contentType === 'application/pdf' ? null : 300],
      );
      const served = await get(body.url, 'owner');
      assert.deepEqual([served.status, served.headers.get('content-type')], [200, contentType]);
    }
  });

  it('is re-encoded: upright, and without its metadata', async () => {
    const file = await photo();
    assert.ok(file.includes('SECRET ARTIST'));
    const { body } = await upload('owner', { file });
    assert.deepEqual([body.width, body.height], [200, 300]);
    const { bytes } = await get(body.url, 'owner');
    assert.ok(!bytes.includes('SECRET ARTIST'));
    const { exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    assert.deepEqual([exif, icc, xmp, orientation], [undefined, undefined, undefined, undefined]);
  });

  it('that is very large is stored smaller', async () => {
    const { body } = await upload('owner', { file: await png(5_000, 4_000) });
    assert.deepEqual([body.width, body.height], [3_200, 2_560]);
  });
});

describe('a bad file', () => {
  const cases: [name: string, file: () => Promise<Uint8Array>, status: number, code: string][] = [
    ['of zero bytes', async () => Buffer.alloc(0), 422, 'empty'],
    ['that is text', async () => Buffer.from('hello'), 415, 'unsupported_media_type'],
    [
      'that is SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      415,
      'unsupported_media_type',
    ],
    [
      'that is GIF',
      async () =>
        sharp(await png(9, 9))
          .gif()
          .toBuffer(),
      415,
      'unsupported_media_type',
    ],
    ['that is a zip file', async () => ZIP, 415, 'unsupported_media_type'],
    ['that is HTML before a PDF', async () => Buffer.concat([Buffer.from('<html>'), await pdf()]), 415, 'unsupported_media_type'],
    ['PNG, truncated', async () => (await png()).subarray(0, -20), 422, 'truncated'],
    ['JPEG, truncated', async () => (await jpeg()).subarray(0, -20), 422, 'truncated'],
    ['WebP, truncated', async () => (await webp()).subarray(0, -20), 422, 'truncated'],
    ['PDF, truncated', async () => (await pdf()).subarray(0, -20), 422, 'truncated'],
    ['PNG with a zip file behind it', async () => Buffer.concat([await png(), ZIP]), 422, 'trailing_data'],
    ['JPEG with a zip file behind it', async () => Buffer.concat([await jpeg(), ZIP]), 422, 'trailing_data'],
    ['JPEG of very many passes', () => jpegOfPasses(200), 422, 'malformed'],
    ['WebP with a byte behind it', async () => Buffer.concat([await webp(), Buffer.from('x')]), 422, 'trailing_data'],
    [
      'PDF with HTML behind it',
      async () => Buffer.concat([await pdf(), Buffer.from('<html><script>alert(1)</script>')]),
      422,
      'trailing_data',
    ],
    [
      'PDF with HTML inside',
      async () => Buffer.from((await pdf()).toString('latin1').replace('\n', '\n%<html><body>\n'), 'latin1'),
      422,
      'html',
    ],
    ['PDF that ends as a zip file', async () => zipInside(await pdf()), 422, 'trailing_data'],
    ['PDF whose directory is not where its end says', async () => moved(await pdf()), 422, 'unreadable'],
    ['PDF without a root', async () => without(await pdf(), '/Root'), 422, 'unreadable'],
    ['PDF of nothing', async () => Buffer.from('%PDF-1.7\nnothing\n%%EOF\n'), 422, 'unreadable'],
    ['PDF with a password', () => pdf(1, { userPassword: 'x', ownerPassword: 'y', pdfVersion: '1.7' }), 422, 'encrypted'],
    ['PNG, animated', animatedPng, 422, 'animated'],
    ['WebP, animated', animatedWebp, 422, 'animated'],
    ['of 65,000 × 65,000 pixels', async () => hugePng(65_000, 65_000), 422, 'too_many_pixels'],
    ['of more pixels than a body has room for', async () => png(5_100, 5_000), 422, 'too_many_pixels'],
    ['PNG without its pixels', async () => hugePng(900, 900), 422, 'unreadable'],
  ];
  for (const [name, make, status, code] of cases) {
    it(`${name} is refused as such, and nothing is stored`, async () => {
      const before = await countRows();
      const refused = await upload('owner', { file: await make() });
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.code ?? refused.body.code], [status, code], JSON.stringify(refused.body));
      if (status === 422) assert.equal(refused.body.errors[0].field, 'file');
      assert.deepEqual(await countRows(), before);
    });
  }

  it('PDF that would fill any memory once it is opened is not opened', async () => {
    for (const file of [directoryBomb(10), directoryBomb(40)]) {
      const { status, body } = await upload('owner', { file });
      assert.deepEqual([status, body.contentType], [201, 'application/pdf'], JSON.stringify(body));
      assert.ok((await get(body.url, 'owner')).bytes.equals(file));
    }
  });

  it('that is missing, or too large by a byte, is refused', async () => {
    const before = await countRows();
    const missing = await upload('owner', {});
    assert.deepEqual([missing.status, missing.body.errors[0].field], [422, 'file']);
    const large = await upload('owner', { file: Buffer.concat([await png(), Buffer.alloc(LIMITS.mediaBytesMax)]) });
    assert.deepEqual([large.status, large.body.code, large.body.limitBytes], [413, 'too_large', LIMITS.mediaBytesMax]);
    assert.deepEqual(await countRows(), before);
  });

  it('of other kinds of people is refused as that of the owner', async () => {
    assert.equal((await upload('clientUser', { file: await animatedPng() })).body.errors[0].code, 'animated');
    assert.equal((await upload('clientUser', { file: await png() })).status, 201);
  });
});

const moved = (file: Buffer): Buffer => Buffer.from(file.toString('latin1').replace(/startxref\s+\d+/, 'startxref\n17'), 'latin1');
const without = (file: Buffer, name: string): Buffer => Buffer.from(file.toString('latin1').replace(name, '/Away'), 'latin1');

/** The rest of the PDF is the comment of a zip file. */
function zipInside(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf('%%EOF');
  const rest = bytes.subarray(at);
  const end = Buffer.from(ZIP);
  end.writeUInt16LE(rest.length + 1, 20);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from('%'), end, Buffer.from('\n'), rest]);
}

describe('an upload', () => {
  it('belongs to the agency, to a client of it, or to the platform', async () => {
    const { world } = service;
    assert.deepEqual(ownerOf(await general('owner')), [world.partnerId, null]);
    assert.deepEqual(ownerOf(await general('owner', { clientId: world.clientId })), [world.partnerId, world.clientId]);
    assert.deepEqual(ownerOf(await general('clientUser')), [world.partnerId, world.clientId]);
    assert.deepEqual(ownerOf(await general('staff')), [world.housePartnerId, null]);
    for (const [as, clientId] of [
      ['owner', world.rivalClientId],
      ['clientUser', world.otherClientId],
      ['staff', world.clientId],
    ] as const)
      assert.equal((await upload(as, { file: await png(), fields: { clientId } })).status, 404);
    assert.equal((await upload('owner', { file: await png(), fields: { partnerId: world.partnerId } })).body.code, 'scope_forbidden');
  });

  it('of a moderator may be an avatar only, a logo is uploaded by an admin of the agency', async () => {
    const file = await png();
    const as = async (person: Person | null, purpose: string) => (await upload(person, { file, fields: { purpose } })).body.code ?? 'ok';
    assert.deepEqual(
      [await as('moderator', 'general'), await as('moderator', 'logo'), await as('moderator', 'avatar')],
      ['partner_role_forbidden', 'partner_role_forbidden', 'ok'],
    );
    assert.deepEqual(
      [await as('clientUser', 'logo'), await as('staff', 'logo'), await as('owner', 'logo')],
      ['role_forbidden', 'role_forbidden', 'ok'],
    );
    assert.deepEqual(
      [await as('clientUser', 'avatar'), await as('staff', 'avatar'), await as(null, 'avatar')],
      ['ok', 'ok', 'unauthenticated'],
    );
    const leaflet = await upload('owner', { file: await pdf(), fields: { purpose: 'logo' } });
    assert.equal(leaflet.body.errors[0].code, 'not_an_image');
    const ofClient = await upload('owner', { file, fields: { purpose: 'logo', clientId: service.world.clientId } });
    assert.equal(ofClient.body.errors[0].field, 'clientId');
  });

  it('is recorded in the audit log', async () => {
    const { id } = await general('owner');
    const [entry] = await service.db.asSystem('seed', (tx) => tx.selectFrom('auditEntry').selectAll().where('targetId', '=', id).execute());
    assert.deepEqual([entry?.action, entry?.targetLabel, entry?.result], ['media.uploaded', 'picture.png', 'ok']);
  });

  it('of a client’s users leaves room to the agency and its other clients', async () => {
    const filler = await general('clientUser');
    const { body } = await service.call('GET', '/media', { as: 'clientUser' });
    assert.equal(body.limitBytes, LIMITS.mediaBytesPerClientMax);
    const resize = (sizeBytes: number) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('media').set({ sizeBytes }).where('id', '=', filler.id).execute());
    await resize(LIMITS.mediaBytesPerClientMax - (body.usedBytes - filler.sizeBytes));
    const file = await png();
    const refused = await upload('clientUser', { file });
    assert.deepEqual([refused.body.code, refused.body.limitBytes], ['media_limit_reached', LIMITS.mediaBytesPerClientMax]);
    for (const person of ['otherClientUser', 'owner'] as const) assert.equal((await upload(person, { file })).status, 201, person);
    await resize(filler.sizeBytes);
    assert.equal((await upload('clientUser', { file })).status, 201);
  });

  it('beyond the storage of the agency is refused, also when two upload at once; the neighbour is not affected', async () => {
    const { body } = await service.call('GET', '/media', { as: 'rivalOwner' });
    const filler = await general('rivalOwner');
    const room = LIMITS.mediaBytesPerPartnerMax - filler.sizeBytes;
    const resize = (sizeBytes: number) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('media').set({ sizeBytes }).where('id', '=', filler.id).execute());
    // Room for one of the same size and a half.
    await resize(room - Math.floor(filler.sizeBytes / 2) - body.usedBytes);
    const before = await countRows();
    const file = await png();
    const replies = await Promise.all([1, 2, 3].map(() => upload('rivalOwner', { file })));
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 409, 409],
    );
    assert.equal(replies.find(({ status }) => status === 409)?.body.code, 'media_limit_reached');
    assert.deepEqual(
      await countRows(),
      before.map((n, index) => n + (index === 1 ? 0 : 1)),
    );
    assert.equal((await upload('rivalClientUser', { file })).status, 409);
    assert.equal((await upload('owner', { file })).status, 201);
    await resize(filler.sizeBytes);
    assert.equal((await upload('rivalClientUser', { file })).status, 201);
  });
});

function ownerOf(body: Body): [string, string | null] {
  return [body.partnerId, body.clientId];
}

describe('the list', () => {
  it('shows each caller what is in their scope, with what it uses', async () => {
    const { world } = service;
    const [agency, ofClient, ofOther, rival] = [
      await general('owner'),
      await general('owner', { clientId: world.clientId }),
      await general('owner', { clientId: world.otherClientId }),
      await general('rivalOwner'),
    ];
    const idsFor = async (as: Person, query = '') => {
      const { body } = await service.call('GET', `/media?limit=100${query}`, { as });
      return [agency, ofClient, ofOther, rival].map(({ id }) => body.data.some((row: Body) => row.id === id));
    };
    assert.deepEqual(await idsFor('owner'), [true, true, true, false]);
    assert.deepEqual(await idsFor('moderator'), [true, true, true, false]);
    assert.deepEqual(await idsFor('clientUser'), [false, true, false, false]);
    assert.deepEqual(await idsFor('owner', `&clientId=${world.clientId}`), [false, true, false, false]);
    assert.deepEqual(await idsFor('owner', '&purpose=logo'), [false, false, false, false]);
    assert.deepEqual(await idsFor('staff'), [false, false, false, false]);
    for (const [as, id, status] of [
      ['owner', agency.id, 200],
      ['moderator', agency.id, 200],
      ['clientUser', ofClient.id, 200],
      ['clientUser', agency.id, 404],
      ['clientUser', ofOther.id, 404],
      ['owner', rival.id, 404],
      ['staff', rival.id, 200],
    ] as const)
      assert.equal((await service.call('GET', `/media/${id}`, { as })).status, status, `${as} ${id}`);
    const { body } = await service.call('GET', '/media?limit=1', { as: 'owner' });
    assert.ok(body.usedBytes >= 3 * agency.sizeBytes && body.nextCursor);
    assert.equal(body.limitBytes, LIMITS.mediaBytesPerPartnerMax);
  });
});

describe('an address', () => {
  it('of a logo or avatar needs no session, is kept for ever and may be shown anywhere', async () => {
    const { body } = await upload('owner', { file: await png(), fields: { purpose: 'logo' } });
    assert.match(body.url, /^\/files\/[\w-]{32}$/);
    for (const url of [body.url, ...body.variants.map((variant: Body) => variant.url)]) {
      const { status, headers, bytes } = await get(url);
      assert.equal(status, 200);
      assert.deepEqual(
        ['cache-control', 'content-security-policy', 'x-content-type-options', 'cross-origin-resource-policy', 'content-type'].map((name) =>
          headers.get(name),
        ),
        ['public, max-age=31536000, immutable', "default-src 'none'; sandbox", 'nosniff', 'cross-origin', 'image/png'],
      );
      assert.equal((await get(url, undefined, { 'if-none-match': headers.get('etag') ?? '' })).status, 304);
      assert.ok((await get(url, undefined, { range: 'bytes=1-3' })).bytes.equals(bytes.subarray(1, 4)));
    }
  });

  it('of another file needs a session of its tenant', async () => {
    const { url } = await general('owner', { clientId: service.world.clientId });
    for (const [as, status] of [
      [undefined, 401],
      ['owner', 200],
      ['moderator', 200],
      ['clientUser', 200],
      ['otherClientUser', 404],
      ['rivalOwner', 404],
      ['rivalClientUser', 404],
      ['staff', 200],
    ] as const)
      assert.equal((await get(url, as)).status, status, String(as));
    const { headers } = await get(url, 'owner');
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('vary'), headers.get('content-disposition')],
      ['private, no-cache', 'authorization', 'inline; filename="picture.png"'],
    );
    assert.equal((await get(url, undefined, { authorization: 'Bearer nonsense' })).status, 401);
  });

  it('that no one has is not found, with and without a session', async () => {
    const { url } = await general('owner');
    for (const unknown of [`/files/${'x'.repeat(32)}`, '/files/short', `${url}?size=icon`])
      for (const as of [undefined, 'owner'] as const) assert.equal((await get(unknown, as)).status, 404, unknown);
  });

  it('is counted by address, apart from other calls', async () => {
    const counted = await startTestService({
      countCallers: true,
      database: service.database,
      world: service.world,
      modules: (platform) => [media({ ...platform, files: files(platform).store, readerTag })],
    });
    try {
      const { headers } = await counted.call('GET', `/files/${'x'.repeat(32)}`);
      assert.deepEqual([headers['ratelimit-limit'], headers['ratelimit-remaining']], ['1200', '1199']);
      const listed = await counted.call('GET', '/media', { as: 'owner' });
      assert.deepEqual([listed.headers['ratelimit-limit'], listed.headers['ratelimit-remaining']], ['100', '99']);
    } finally {
      await counted.close();
    }
  });

  it('of a PDF is a download', async () => {
    const { body } = await upload('owner', { file: await pdf(), name: 'leaflet.pdf' });
    const { headers, bytes } = await get(body.url, 'owner');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="leaflet.pdf"');
    assert.ok(bytes.subarray(0, 5).equals(Buffer.from('%PDF-')));
  });

  it('answers while the account is suspended', async () => {
    const { url } = await general('owner');
    const set = (status: string) =>
      service.db.asSystem('seed', (tx) => tx.updateTable('partner').set({ status }).where('id', '=', service.world.partnerId).execute());
    await set('suspended');
    try {
      assert.equal((await get(url, 'owner')).status, 200);
      assert.equal((await get(url, 'rivalOwner')).status, 404);
      assert.equal((await upload('owner', { file: await png() })).body.code, 'account_suspended');
    } finally {
      await set('active');
    }
  });
});

describe('a logo', () => {
  const set = (logoMediaId: string | null, as: Person = 'owner') => service.call('PATCH', '/partners/me', { as, body: { logoMediaId } });
  it('is a PNG that fits, with an icon and a small size', async () => {
    const { body } = await upload('owner', { file: await webp(2_000, 500), fields: { purpose: 'logo', altText: 'Acme' } });
    assert.deepEqual([body.contentType, body.width, body.height, body.altText], ['image/png', 800, 200, 'Acme']);
    assert.deepEqual(
      body.variants.map(({ name, width, height }: Body) => [name, width, height]),
      [
        ['icon', 64, 64],
        ['small', 240, 60],
      ],
    );
    for (const variant of body.variants) {
      const { width, height } = await sharp((await get(variant.url)).bytes).metadata();
      assert.deepEqual([width, height], [variant.width, variant.height]);
    }
  });

  it('is shown wherever the agency is named, and no longer once it is taken off or removed', async () => {
    const { body } = await upload('owner', { file: await png(), fields: { purpose: 'logo' } });
    const shown = async () => {
      const [own, session] = [
        await service.call('GET', '/partners/me', { as: 'owner' }),
        await service.call('GET', '/auth/me', { as: 'clientUser' }),
      ];
      assert.equal(own.body.logoUrl, session.body.partner.logoUrl);
      return own.body.logoUrl;
    };
    const changed = await set(body.id);
    assert.deepEqual([changed.status, changed.body.logoUrl, changed.body.logoMediaId], [200, body.url, body.id]);
    assert.equal(await shown(), body.url);
    assert.equal((await set(null)).body.logoUrl, null);
    assert.equal(await shown(), null);
    await set(body.id);
    assert.equal((await service.call('DELETE', `/media/${body.id}`, { as: 'owner' })).status, 204);
    assert.equal(await shown(), null);
    assert.equal((await get(body.url)).status, 404);
  });

  it('is an own file of that purpose', async () => {
    const rival = await upload('rivalOwner', { file: await png(), fields: { purpose: 'logo' } });
    const other = await general('owner');
    for (const id of [rival.body.id, other.id]) {
      const refused = await set(id);
      assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'logoMediaId']);
    }
    assert.equal((await set(rival.body.id, 'rivalOwner')).status, 200);
    assert.equal((await set(null, 'moderator')).body.code, 'partner_role_forbidden');
  });

  it('that is removed while it is set is shown afterwards nowhere', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { body } = await upload('owner', { file: await png(20, 20), fields: { purpose: 'logo' } });
      const [setting, removal] = await Promise.all([set(body.id), service.call('DELETE', `/media/${body.id}`, { as: 'owner' })]);
      assert.ok([200, 422].includes(setting.status), setting.text);
      assert.equal(removal.status, 204, removal.text);
      assert.equal((await service.call('GET', '/partners/me', { as: 'owner' })).body.logoUrl, null);
    }
  });
});

describe('an avatar', () => {
  const set = (avatarMediaId: string | null, as: Person) => service.call('PATCH', '/auth/me', { as, body: { avatarMediaId } });
  const avatarOf = async (as: Person) => (await upload(as, { file: await jpeg(400, 300), fields: { purpose: 'avatar' } })).body;
  it('is a square, and shown with its person in session and team', async () => {
    const avatar = await avatarOf('moderator');
    assert.deepEqual([avatar.width, avatar.height, avatar.contentType], [256, 256, 'image/jpeg']);
    assert.deepEqual(
      avatar.variants.map(({ name, width, height }: Body) => [name, width, height]),
      [['small', 96, 96]],
    );
    assert.equal((await set(avatar.id, 'moderator')).body.avatarUrl, avatar.url);
    const { body } = await service.call('GET', '/partners/me/team', { as: 'owner' });
    assert.equal(body.data.find((member: Body) => member.id === service.world.people.moderator.userId).avatarUrl, avatar.url);
    assert.equal((await get(avatar.url)).status, 200);
    assert.equal((await set(null, 'moderator')).body.avatarUrl, null);
  });

  it('is an own upload', async () => {
    const avatar = await avatarOf('moderator');
    for (const as of ['owner', 'clientUser', 'staff', 'rivalOwner'] as const) {
      const refused = await set(avatar.id, as);
      assert.deepEqual([refused.status, refused.body.errors[0].field], [422, 'avatarMediaId'], as);
      const own = await avatarOf(as);
      assert.equal((await set(own.id, as)).body.avatarUrl, own.url, as);
    }
  });

  it('that is no longer shown is removed by the next upload, the one that is shown is not', async () => {
    const first = await avatarOf('clientUser');
    await set(first.id, 'clientUser');
    const [second, third] = [await avatarOf('clientUser'), await avatarOf('clientUser')];
    assert.deepEqual([(await get(first.url)).status, (await get(second.url)).status, (await get(third.url)).status], [200, 404, 200]);
  });
});

describe('removing and changing a file', () => {
  it('removes rows and bytes at once', async () => {
    const before = await countRows();
    const { body } = await upload('owner', { file: await png(), fields: { purpose: 'logo' } });
    assert.notDeepEqual(await countRows(), before);
    assert.equal((await service.call('DELETE', `/media/${body.id}`, { as: 'owner' })).status, 204);
    assert.deepEqual(await countRows(), before);
    assert.equal((await service.call('DELETE', `/media/${body.id}`, { as: 'owner' })).status, 404);
    assert.equal((await service.call('GET', `/media/${body.id}`, { as: 'owner' })).status, 404);
  });

  it('is for admins of the agency, the client, and each person for the own avatar', async () => {
    const remove = async (id: string, as: Person) => (await service.call('DELETE', `/media/${id}`, { as })).body?.code ?? 'ok';
    const rename = async (id: string, as: Person) =>
      (await service.call('PATCH', `/media/${id}`, { as, body: { altText: 'A dog' } })).body.code ?? 'ok';
    const agency = await general('owner');
    const ofClient = await general('owner', { clientId: service.world.clientId });
    const { body: avatar } = await upload('owner', { file: await png(), fields: { purpose: 'avatar' } });
    const { body: own } = await upload('moderator', { file: await png(), fields: { purpose: 'avatar' } });
    for (const id of [agency.id, ofClient.id, avatar.id]) {
      assert.deepEqual(
        [await remove(id, 'moderator'), await rename(id, 'moderator')],
        ['partner_role_forbidden', 'partner_role_forbidden'],
      );
      assert.deepEqual([await remove(id, 'rivalOwner'), await rename(id, 'rivalOwner')], ['not_found', 'not_found']);
    }
    assert.deepEqual([await remove(agency.id, 'clientUser'), await remove(ofClient.id, 'otherClientUser')], ['not_found', 'not_found']);
    assert.deepEqual([await rename(ofClient.id, 'clientUser'), await rename(agency.id, 'owner')], ['ok', 'ok']);
    assert.equal((await service.call('GET', `/media/${agency.id}`, { as: 'owner' })).body.altText, 'A dog');
    assert.deepEqual(
      [
        await remove(own.id, 'moderator'),
        await remove(ofClient.id, 'clientUser'),
        await remove(agency.id, 'owner'),
        await remove(avatar.id, 'staff'),
      ],
      ['ok', 'ok', 'ok', 'ok'],
    );
    const { body: client } = await upload('clientUser', { file: await png(), fields: { purpose: 'avatar' } });
    assert.deepEqual([await remove(client.id, 'otherClientUser'), await remove(client.id, 'owner')], ['not_found', 'ok']);
    assert.equal((await fetch(`${origin}/media/${agency.id}`, { method: 'DELETE' })).status, 401);
  });

  it('removes the avatar of a person who was removed', async () => {
    const { body } = await upload('moderator', { file: await png(), fields: { purpose: 'avatar' } });
    await service.db.asSystem('seed', (tx) => tx.updateTable('media').set({ uploadedBy: null }).where('id', '=', body.id).execute());
    const { crons } = media({ ...service, files: files(service).store, readerTag });
    for (const cron of crons) await cron.run({ log: service.log, signal: new AbortController().signal, attempt: 1 });
    assert.equal((await get(body.url)).status, 404);
  });
});

describe('what reads media past the rows of a session', () => {
  it('answers a tenant about its own agency only', async () => {
    const { partnerId, clientId, rivalPartnerId } = service.world;
    const { body } = await upload('owner', { file: await png(), fields: { purpose: 'logo', altText: 'Our mark' } });
    assert.ok(body.id, JSON.stringify(body));
    const ask = (of: { partnerId: string; clientId: string | null }) =>
      service.db.asTenant({ kind: 'tenant', ...of }, async (tx) => {
        const { rows } = await sql<{
          room: boolean;
          logo: string | null;
        }>`select has_media_room(${partnerId}, 1, 1000000000) as room, logo_text(${body.id}) as logo`.execute(tx);
        return rows;
      });
    for (const client of [null, clientId]) assert.deepEqual(await ask({ partnerId, clientId: client }), [{ room: true, logo: 'Our mark' }]);
    assert.deepEqual(await ask({ partnerId: rivalPartnerId, clientId: null }), [{ room: false, logo: null }]);
  });
});
