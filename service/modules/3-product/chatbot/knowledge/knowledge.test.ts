import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { assertDeclared } from '@partner-portal/tests/harness/declared-errors.ts';
import { type Body, startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addClient, type Person } from '@partner-portal/tests/harness/world.ts';
import { clients } from '#modules/2-tenancy/clients/index.ts';
import { files } from '#modules/1-ledger/files/index.ts';
import { createRunner, type JobRunner } from '#platform/jobs/runner.ts';
import type { ChatbotDeps } from '../deps.ts';
import { chatbot, type Chatbot } from '../index.ts';
import { readDocuments } from '../reading/read-document.ts';
import { pagesOf, pdfOf, unpackingPdf } from './test-pdfs.ts';

let service: TestService;
let bots: Chatbot;
let runner: JobRunner;
let origin: string;
let sweep: () => Promise<unknown>;
before(async () => {
  service = await startTestService({
    modules: (platform) => {
      bots = chatbot({ ...platform, publicBaseUrl: platform.baseUrl });
      // Two days later, when what no row refers to is removed.
      const filesModule = files({ ...platform, clock: { now: () => new Date(Date.now() + 2 * 86_400_000) } });
      sweep = () => filesModule.sweep();
      return [bots, clients(platform)];
    },
  });
  runner = createRunner({ address: service.database.configFor('portal_queue'), jobs: bots.jobs, crons: bots.crons, log: service.log });
  origin = await service.listen();
});
after(() => service.close());

const seed = <T>(work: Parameters<typeof service.db.asSystem<T>>[1]) => service.db.asSystem('seed', work);
const newClient = (name = 'A client') => seed((tx) => addClient(tx, service.world.partnerId, name));
const change = (clientId: string, body: object) => service.call('PATCH', '/chatbot/settings', { as: 'owner', body: { clientId, ...body } });

async function upload(clientId: string, file: Uint8Array | string, name: string, as: Person | null = 'owner') {
  const form = new FormData();
  form.append('clientId', clientId);
  form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)]), name);
  const response = await fetch(`${origin}/chatbot/knowledge`, { method: 'POST', body: form, headers: as ? service.bearer(as) : {} });
  const text = await response.text();
  if (response.status >= 400) assertDeclared('POST', '/chatbot/knowledge', text);
  return { status: response.status, body: JSON.parse(text) as Body };
}
/** Uploads, reads and lists. */
async function read(clientId: string, file: Uint8Array | string, name: string) {
  const { status, body } = await upload(clientId, file, name);
  assert.equal(status, 201, JSON.stringify(body));
  await runner.drain();
  return find(clientId, body.id);
}
const list = async (clientId: string): Promise<Body[]> =>
  (await service.call('GET', `/chatbot/knowledge?clientId=${clientId}`, { as: 'owner' })).body;
const find = async (clientId: string, id: string): Promise<Body> => (await list(clientId)).find((one) => one.id === id);
const search = async (clientId: string, q: string): Promise<Body[]> => {
  const reply = await service.call('GET', `/chatbot/knowledge/search?clientId=${clientId}&q=${encodeURIComponent(q)}`, { as: 'owner' });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const countOf = (table: 'file' | 'fileChunk' | 'knowledgePassage' | 'knowledgeWord' | 'knowledgeDocument') =>
  seed((tx) =>
    tx
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
  ).then(({ n }) => n);

describe('what a chatbot knows', () => {
  it('is its business profile from the first save, and again when that changes', async () => {
    const clientId = await newClient('Profile');
    await change(clientId, { name: 'Desk' });
    await runner.drain();
    assert.deepEqual(
      (await list(clientId)).map(({ kind, status, title }) => [kind, status, title]),
      [['profile', 'ready', 'About Profile']],
    );
    assert.deepEqual(await search(clientId, 'When do you open?'), []);
    const businessProfile = { hours: 'Open Monday to Friday, 9:00 to 17:00' };
    const changed = await service.call('PATCH', `/clients/${clientId}`, { as: 'owner', body: { businessProfile } });
    assert.equal(changed.status, 200, changed.text);
    await runner.drain();
    const [found] = await search(clientId, 'When do you open?');
    assert.deepEqual([found.heading, found.excerpt], ['Opening hours', businessProfile.hours]);
  });

  const profileOf = {
    hours: 'Mo-Fr 8-18',
    address: 'Marktplatz 3',
    bookingUrl: 'https://termin.example/oak',
    reviewUrl: 'https://stars.example/oak',
  };
  const patch = async (clientId: string, body: object): Promise<void> => {
    const changed = await service.call('PATCH', `/clients/${clientId}`, { as: 'owner', body });
    assert.equal(changed.status, 200, changed.text);
    await runner.drain();
  };
  const asked: [question: string, excerpt: RegExp][] = [
    ['Wann haben Sie geöffnet?', /8-18/],
    ['Wie sind Ihre Öffnungszeiten?', /8-18/],
    ['Wie lautet Ihre Telefonnummer?', /312555/],
    ['Wo befindet sich die Praxis?', /Marktplatz/],
    ['Ich möchte einen Termin buchen', /termin\.example/],
    ['Wie kann ich eine Bewertung schreiben?', /stars\.example/],
    ['¿Cuál es su horario?', /8-18/],
    ['¿A qué hora abren?', /8-18/],
    ['¿Cuál es su teléfono?', /312555/],
    ['¿Cuál es la dirección?', /Marktplatz/],
    ['Quiero reservar una cita', /termin\.example/],
    ['When are you open?', /8-18/],
    ["What's your phone number?", /312555/],
    ['Where are you located?', /Marktplatz/],
    ['Can I book an appointment?', /termin\.example/],
  ];
  for (const [locale, heading] of [
    ['en', 'Opening hours'],
    ['de', 'Öffnungszeiten'],
    ['es', 'Horario de apertura'],
  ] as const)
    it(`is found in its business profile whichever language the visitor writes, and shown in that of the client: ${locale}`, async () => {
      const clientId = await newClient('Oak');
      await change(clientId, { knowledgeText: '# Kariesvorsorge\n\nZweimal im Jahr.' });
      await patch(clientId, { locale, phone: '+13125550123', businessProfile: profileOf });
      for (const [question, excerpt] of asked) assert.match((await search(clientId, question))[0]?.excerpt ?? '', excerpt, question);
      assert.equal((await search(clientId, 'open'))[0].heading, heading);
      assert.deepEqual(await search(clientId, 'Do you sell helicopters?'), []);
    });

  it('names its profile as the client is called now, in its language', async () => {
    const clientId = await newClient('Oak Dental');
    await change(clientId, { name: 'Desk' });
    await patch(clientId, { name: 'Zahnärzte am Markt', businessProfile: profileOf });
    assert.equal((await search(clientId, 'When are you open?'))[0].title, 'About Zahnärzte am Markt');
    await patch(clientId, { locale: 'de' });
    assert.equal((await search(clientId, 'When are you open?'))[0].title, 'Über Zahnärzte am Markt');
    assert.deepEqual(
      (await list(clientId)).map(({ title }) => title),
      ['Über Zahnärzte am Markt'],
    );
    await change(clientId, { knowledgeText: 'Die Praxis hat Parkplätze.' });
    assert.equal((await list(clientId))[1].title, 'Informationen');
  });

  it('is the text of its settings, and nothing once that is emptied', async () => {
    const clientId = await newClient('Text');
    await change(clientId, { knowledgeText: '# Parking\n\nThere is free parking behind the house.' });
    await runner.drain();
    assert.match((await search(clientId, 'where can I park?'))[0].excerpt, /behind the house/);
    await change(clientId, { knowledgeText: 'We have no parking. Take the bus.' });
    await runner.drain();
    assert.match((await search(clientId, 'parking'))[0].excerpt, /bus/);
    await change(clientId, { knowledgeText: '' });
    await runner.drain();
    assert.deepEqual(await search(clientId, 'parking'), []);
    assert.deepEqual(
      (await list(clientId)).map(({ kind }) => kind),
      ['profile'],
    );
  });

  it('takes 200,000 characters of text, and no more', async () => {
    const clientId = await newClient('Long');
    assert.equal((await change(clientId, { knowledgeText: 'word '.repeat(40_000) })).status, 200);
    await runner.drain();
    assert.ok((await list(clientId)).find(({ kind }) => kind === 'text').passages > 100);
    assert.equal((await change(clientId, { knowledgeText: 'x'.repeat(200_001) })).status, 422);
  });
});

describe('an uploaded file', () => {
  it('is a PDF whose text is found with its heading', async () => {
    const clientId = await newClient('Pdf');
    const file = await pdfOf([
      { heading: 'Prices', text: 'A cleaning costs 80 dollars, a whitening costs 250 dollars.' },
      { heading: 'Emergencies', text: 'Call us at any hour when a tooth is broken.' },
    ]);
    const document = await read(clientId, file, 'Price list.pdf');
    assert.deepEqual(
      [document.status, document.title, document.contentType, document.problem],
      ['ready', 'Price list', 'application/pdf', null],
    );
    assert.equal(document.passages, 2);
    const [found] = await search(clientId, 'how much is a whitening');
    assert.deepEqual([found.title, found.heading, found.documentId], ['Price list', 'Prices', document.id]);
  });

  it('is a text or Markdown file in any usual encoding', async () => {
    const clientId = await newClient('Texts');
    const text = 'Öffnungszeiten: täglich außer Sonntag von 9 bis 17 Uhr.';
    for (const [name, bytes, type] of [
      ['a.txt', Buffer.from(text), 'text/plain'],
      ['b.md', Buffer.from(`# Zeiten\n\n${text}`), 'text/markdown'],
      ['c.txt', Buffer.from(`\uFEFF${text}`, 'utf16le'), 'text/plain'],
      ['d.txt', Buffer.from(text, 'latin1'), 'text/plain'],
    ] as const) {
      const document = await read(clientId, bytes, name);
      assert.deepEqual([document.status, document.contentType, document.passages], ['ready', type, 1], name);
    }
    const found = await search(clientId, 'oeffnungszeiten Offnungszeit');
    assert.equal(found.length, 4);
    assert.ok(found.every(({ excerpt }) => excerpt === text));
  });

  const failing: [name: string, file: () => Promise<Uint8Array>, problem: RegExp][] = [
    ['a PDF with a password', () => pdfOf([], { userPassword: 'x', ownerPassword: 'y', pdfVersion: '1.7' }), /password/],
    [
      'a PDF that may only not be printed',
      () => pdfOf([{ heading: 'a', text: 'b' }], { ownerPassword: 'y', pdfVersion: '1.7' }),
      /password/,
    ],
    ['a scan', () => pagesOf(2, null), /no text/],
    ['a damaged PDF', async () => Buffer.from('%PDF-1.7\nnothing\n%%EOF\n'), /damaged/],
    ['a PDF of 501 pages', () => pagesOf(501, 'Page'), /500 pages/],
    ['a PDF that unpacks to 70 MiB', async () => unpackingPdf(70), /too large/],
    ['a PDF that unpacks to 70 MiB in three steps', async () => unpackingPdf(70, 3), /too large/],
    ['a text of more than a million characters', async () => Buffer.from('word '.repeat(200_001)), /1,000,000 characters/],
    ['a text of white space', async () => Buffer.from(' \n\n\t '), /no text/],
  ];
  for (const [name, make, problem] of failing)
    it(`${name} is kept as failed, with a sentence that says why`, async () => {
      const clientId = await newClient(name);
      const document = await read(clientId, await make(), 'file.pdf');
      assert.deepEqual([document.status, document.passages], ['failed', 0]);
      assert.match(document.problem, problem);
    });

  it('of 500 pages is read; one that unpacks to less than 64 MiB as well', async () => {
    const clientId = await newClient('Pages');
    const document = await read(clientId, await pagesOf(500, 'The rule of page'), 'rules.pdf');
    assert.deepEqual([document.status, document.problem], ['ready', null]);
    assert.match((await read(clientId, unpackingPdf(8), 'small.pdf')).problem, /no text/);
  });

  it('that is nothing to read is refused at once, and nothing is stored', async () => {
    const clientId = await newClient('Refused');
    const before = await countOf('file');
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex');
    for (const [file, code] of [
      [png, 'not_readable'],
      [Buffer.alloc(0), 'empty'],
      // What TextEdit and WordPad save: the words of visitors are not found in it.
      [Buffer.from(String.raw`{\rtf1\ansi\ansicpg1252 {\fonttbl\f0 Helvetica;} \'d6ffnungszeiten: 9-12\par}`), 'not_readable'],
      [Buffer.from('\uFEFF\r\n <!DOCTYPE html><title>Hours</title><script>track()</script>'), 'not_readable'],
      [Buffer.from('\uFEFF<html><p>Hours</p></html>', 'utf16le'), 'not_readable'],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not_readable'],
      [Buffer.from('<?xml version="1.0"?><hours/>'), 'not_readable'],
    ] as const) {
      const refused = await upload(clientId, file, 'a.txt');
      assert.deepEqual([refused.status, refused.body.errors[0].code], [422, code]);
    }
    assert.equal((await upload(clientId, Buffer.alloc(LIMITS.knowledgeFileBytesMax + 1, 'a'), 'a.txt')).status, 413);
    assert.equal(await countOf('file'), before);
  });

  it('of text may speak of markup, and Markdown may begin with it', async () => {
    const clientId = await newClient('Markup');
    assert.equal((await read(clientId, 'Write <html> first, or {\\rtf1.', 'how-to.txt')).status, 'ready');
    assert.equal((await read(clientId, '<!-- Draft -->\n<div align="center">\n\n# Opening hours', 'hours.md')).status, 'ready');
  });

  it('is removed with its bytes, passages and words', async () => {
    const clientId = await newClient('Removed');
    const before = [await countOf('file'), await countOf('fileChunk'), await countOf('knowledgePassage')];
    const document = await read(clientId, 'A zyzzyva is an insect.', 'insects.txt');
    assert.equal((await search(clientId, 'zyzzyva')).length, 1);
    const removed = await service.call('DELETE', `/chatbot/knowledge/${document.id}`, { as: 'owner' });
    assert.equal(removed.status, 204, removed.text);
    assert.deepEqual(await search(clientId, 'zyzzyva'), []);
    assert.deepEqual([await countOf('file'), await countOf('fileChunk'), await countOf('knowledgePassage')], before);
    const words = await seed((tx) => tx.selectFrom('knowledgeWord').select('word').where('clientId', '=', clientId).execute());
    assert.deepEqual(words, []);
    assert.equal((await service.call('DELETE', `/chatbot/knowledge/${document.id}`, { as: 'owner' })).status, 404);
    const [profile] = await list(clientId);
    assert.equal((await service.call('DELETE', `/chatbot/knowledge/${profile.id}`, { as: 'owner' })).body.code, 'invalid_state');
  });

  it('is one of twenty at most, and counts in the storage of the agency', async () => {
    const clientId = await newClient('Twenty');
    for (let n = 0; n < LIMITS.knowledgeFilesMax; n += 1) assert.equal((await upload(clientId, `File ${n}`, `${n}.txt`)).status, 201);
    const refused = await upload(clientId, 'One more', 'more.txt');
    assert.deepEqual([refused.status, refused.body.code, refused.body.limitFiles], [409, 'media_limit_reached', LIMITS.knowledgeFilesMax]);
    const [{ id } = { id: '' }] = (await list(clientId)).filter(({ kind }) => kind === 'file');
    await service.call('DELETE', `/chatbot/knowledge/${id}`, { as: 'owner' });
    const fill = (sizeBytes: number) =>
      seed((tx) =>
        tx.updateTable('knowledgeDocument').set({ sizeBytes }).where('clientId', '=', clientId).where('title', '=', '0').execute(),
      );
    await fill(LIMITS.mediaBytesPerPartnerMax);
    assert.equal((await upload(clientId, 'One more', 'more.txt')).body.code, 'media_limit_reached');
    await fill(10);
    assert.equal((await upload(clientId, 'One more', 'more.txt')).status, 201);
    await runner.drain();
  });

  it('is left alone by the sweep of files', async () => {
    const clientId = await newClient('Swept');
    const document = await read(clientId, 'Kept.', 'kept.txt');
    await sweep();
    const kept = await seed((tx) =>
      tx.selectFrom('knowledgeDocument').select('fileId').where('id', '=', document.id).executeTakeFirstOrThrow(),
    );
    assert.ok(await seed((tx) => tx.selectFrom('file').select('id').where('id', '=', kept.fileId).executeTakeFirst()));
  });
});

describe('the reading of a file', () => {
  it('that was interrupted begins again and adds nothing twice; a document that changed meanwhile keeps its newer text', async () => {
    const clientId = await newClient('Again');
    await change(clientId, { knowledgeText: 'The old text.' });
    const [{ id } = { id: '' }] = (await list(clientId)).filter(({ kind }) => kind === 'text');
    const handler = bots.jobs[0];
    // Two at once, as after a worker that was taken for dead.
    const context = { log: service.log, signal: new AbortController().signal, attempt: 1 };
    await Promise.all([handler?.run({}, context), handler?.run({}, context)]);
    await handler?.run({}, context);
    assert.equal((await find(clientId, id)).passages, 1);
    const passages = await seed((tx) => tx.selectFrom('knowledgePassage').select('content').where('documentId', '=', id).execute());
    assert.deepEqual(passages, [{ content: 'The old text.' }]);
    // Changed while its thread works.
    await change(clientId, { knowledgeText: 'The second text.' });
    const compute: typeof service.compute = {
      ...service.compute,
      run: (task, input, request) =>
        service.compute.run(task, input, request).finally(async () => void (await change(clientId, { knowledgeText: 'The third text.' }))),
    };
    const deps: ChatbotDeps = {
      ...service,
      compute,
      publicBaseUrl: '',
    };
    await readDocuments(deps, context);
    assert.equal((await find(clientId, id)).status, 'pending');
    await runner.drain();
    assert.deepEqual(
      (await search(clientId, 'text')).map(({ excerpt }) => excerpt),
      ['The third text.'],
    );
  });

  it('that was cut off each time is ended with a sentence', async () => {
    const clientId = await newClient('Forgotten');
    const { body } = await upload(clientId, 'Never read.', 'never.txt');
    await runner.runCron('chatbot.end_forgotten_readings');
    assert.equal((await find(clientId, body.id)).status, 'pending');
    await seed((tx) =>
      tx
        .updateTable('knowledgeDocument')
        .set({ updatedAt: new Date(0), attempts: 4 })
        .where('id', '=', body.id)
        .execute(),
    );
    await runner.runCron('chatbot.end_forgotten_readings');
    const document = await find(clientId, body.id);
    assert.deepEqual([document.status, document.problem !== null], ['failed', true]);
    await runner.drain();
  });
});

describe('knowledge of others', () => {
  it('is not found by anyone on any route', async () => {
    const { clientId } = service.world;
    const document = await read(clientId, 'The secret recipe of Oak Street.', 'secret.txt');
    const chatbotId = (await service.call('GET', `/chatbot/settings?clientId=${clientId}`, { as: 'owner' })).body.id;
    for (const path of [`/chatbot/knowledge?clientId=${clientId}`, `/chatbot/knowledge/search?clientId=${clientId}&q=recipe`])
      assert.equal((await service.call('GET', path, { as: 'rivalOwner' })).body.code, 'not_found');
    assert.equal((await service.call('GET', `/chatbot/knowledge?clientId=${clientId}`, { as: 'otherClientUser' })).body.code, 'not_found');
    assert.equal((await service.call('DELETE', `/chatbot/knowledge/${document.id}`, { as: 'rivalOwner' })).body.code, 'not_found');
    assert.equal((await upload(clientId, 'Planted', 'a.txt', 'rivalOwner')).body.code, 'not_found');
    const { partnerId, otherClientId, rivalPartnerId } = service.world;
    const as = (scope: { partnerId: string; clientId: string | null }) =>
      service.db.asTenant({ kind: 'tenant', ...scope }, (tx) => bots.findPassages(tx, chatbotId, ['secret recipe']));
    assert.equal((await as({ partnerId, clientId })).length, 1);
    assert.equal((await as({ partnerId, clientId: null })).length, 1);
    assert.deepEqual(await as({ partnerId, clientId: otherClientId }), []);
    assert.deepEqual(await as({ partnerId: rivalPartnerId, clientId: null }), []);
  });

  it('is read by its client and by moderators, and changed by neither', async () => {
    const { clientId } = service.world;
    const own = await service.call('GET', '/chatbot/knowledge', { as: 'clientUser' });
    assert.deepEqual([own.status, own.body.length > 0], [200, true]);
    assert.equal((await service.call('GET', `/chatbot/knowledge?clientId=${clientId}`, { as: 'moderator' })).status, 200);
    assert.equal((await upload(clientId, 'x', 'a.txt', 'moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await upload(clientId, 'x', 'a.txt', 'clientUser')).body.code, 'role_forbidden');
    assert.equal((await upload(clientId, 'x', 'a.txt', null)).body.code, 'unauthenticated');
    assert.equal((await upload(clientId, 'By staff', 'staff.txt', 'staff')).status, 201);
    const [{ id } = { id: '' }] = own.body;
    assert.equal((await service.call('DELETE', `/chatbot/knowledge/${id}`, { as: 'moderator' })).body.code, 'partner_role_forbidden');
    await runner.drain();
  });
});
