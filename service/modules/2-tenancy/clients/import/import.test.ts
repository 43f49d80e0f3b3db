import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { assertDeclared } from '@partner-portal/tests/harness/declared-errors.ts';
import { type Body, startTestService, type TestService } from '@partner-portal/tests/harness/service.ts';
import { addWorkflow, type Person } from '@partner-portal/tests/harness/world.ts';
import { sql } from 'kysely';
import { recordLook, recordLooks } from '#modules/1-ledger/audit/index.ts';
import { invitations } from '#modules/2-tenancy/invitations/index.ts';
import { clients } from '../index.ts';
import { forgetImports } from './index.ts';

const HOUR_MS = 3_600_000;
let passedMs = 0;
const clock = { now: () => new Date(Date.now() + passedMs) };
let service: TestService;
let origin: string;
/** Another process on the same database. */
let other: TestService;
let otherOrigin: string;
before(async () => {
  const modules = (platform: Parameters<typeof clients>[0] & Parameters<typeof invitations>[0]) => [
    clients(platform),
    invitations(platform),
  ];
  service = await startTestService({ modules, clock });
  origin = await service.listen();
  other = await startTestService({ modules, clock, database: service.database, world: service.world });
  otherOrigin = await other.listen();
});
after(async () => {
  await other.close();
  await service.close();
});

type Sent = { as?: Person; fields?: Record<string, string>; headers?: Record<string, string>; at?: string; name?: string };
async function send(
  file: string | Uint8Array | null,
  { as = 'owner', fields = {}, headers = {}, at = origin, name = 'clients.csv' }: Sent = {},
) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  if (file !== null) form.append('file', new Blob([typeof file === 'string' ? file : new Uint8Array(file)], { type: 'text/csv' }), name);
  const response = await fetch(`${at}/clients/import`, { method: 'POST', body: form, headers: { ...service.bearer(as), ...headers } });
  const text = await response.text();
  if (response.status >= 400) assertDeclared('POST', '/clients/import', text);
  return { status: response.status, body: JSON.parse(text) as Body };
}
async function good(...given: Parameters<typeof send>): Promise<Body> {
  const { status, body } = await send(...given);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, as: Person = 'owner', body?: unknown) =>
  service.call(method, path, { as, body });
const outcomesOf = (result: Body): string[] => result.rows.map((row: Body) => row.code ?? row.outcome);
const undo = (id: string, as: Person = 'owner') => call('POST', `/clients/imports/${id}/undo`, as);
const rowsOf = async (id: string): Promise<Body[]> => (await call('GET', `/clients/imports/${id}/rows?limit=100`)).body.data;
const named = async (name: string, as: Person = 'owner'): Promise<Body[]> =>
  (await call('GET', `/clients?q=${encodeURIComponent(name)}`, as)).body.data.toReversed();
const countAll = () =>
  service.db.asSystem('seed', async (tx) => {
    const { rows } = await sql<{ counts: string }>`select concat_ws(' ', (select count(*) from client), (select count(*) from audit_entry),
      (select count(*) from client_import), (select count(*) from client_import_row)) as counts`.execute(tx);
    return rows[0]?.counts;
  });
async function limitTo(places: number | null, partnerId = service.world.partnerId): Promise<void> {
  await service.db.asSystem('seed', async (tx) => {
    const { rows } = await sql<{
      used: number;
    }>`select count(*)::int as used from client where partner_id = ${partnerId} and status in ('active', 'suspended')
      and suspension_cause is distinct from 'deletion_approved'`.execute(tx);
    const overrides = JSON.stringify({ includedClients: places === null ? 100_000 : (rows[0]?.used ?? 0) + places });
    await tx.updateTable('subscription').set({ overrides }).where('partnerId', '=', partnerId).execute();
  });
}
const actionsOf = async (partnerId = service.world.partnerId): Promise<string[]> =>
  service.db.asSystem('seed', async (tx) =>
    (await tx.selectFrom('auditEntry').select('action').where('partnerId', '=', partnerId).orderBy('id').execute()).map(
      ({ action }) => action,
    ),
  );

describe('importing clients', () => {
  before(() => limitTo(null));

  it('adds what is new, changes what a reference names, and leaves the rest; a blank cell changes nothing', async () => {
    const first = await good(
      'Firma;E-Mail;Telefon;Kundennummer;Sprache;Öffnungszeiten\r\nEiche;E@eiche.example;\'+49 30;k1;Deutsch;"9-12\r\n14-18"\r\nBuche;;;k2;;\r\n',
    );
    assert.deepEqual(
      [first.encoding, first.delimiter, first.counts],
      ['utf-8', 'semicolon', { created: 2, updated: 0, unchanged: 0, refused: 0 }],
    );
    const [oak] = await named('Eiche');
    assert.deepEqual(
      [oak.contactEmail, oak.phone, oak.locale, oak.businessProfile.hours, oak.timezone, oak.status],
      ['e@eiche.example', '+49 30', 'de', '9-12\r\n14-18', 'UTC', 'active'],
    );
    const again = await good('Name,Phone,Your reference\nEiche GmbH,,k1\nBuche,,k2\nTanne,=1+1,k3');
    assert.deepEqual(outcomesOf(again), ['updated', 'unchanged', 'created']);
    assert.deepEqual([(await named('Eiche'))[0].phone, (await named('Tanne'))[0].phone], ['+49 30', '=1+1']);
    assert.deepEqual(
      (await actionsOf()).slice(-6),
      ['client.created', 'client.created', 'client.imported', 'client.created', 'client.changed', 'client.imported'].slice(-7),
    );
  });

  it('changes a suspended client, and adds one of its own in place of a client whose deletion is approved', async () => {
    const file = (phone: string) =>
      `Name,E-mail,Phone,Your reference\nAbschied,a@abschied.example,${phone},gone-1\nAbschied Zwei,b@abschied.example,${phone},`;
    const before = await good(file('1'));
    const ids = before.rows.map((row: Body) => row.clientId);
    const suspend = (suspensionCause: 'manual' | 'deletion_approved') =>
      service.db.asSystem('seed', (tx) =>
        tx.updateTable('client').set({ status: 'suspended', suspensionCause }).where('id', 'in', ids).execute(),
      );
    await suspend('manual');
    assert.deepEqual(outcomesOf(await good(file('2'))), ['updated', 'updated']);
    await suspend('deletion_approved');
    assert.deepEqual(outcomesOf(await good(file('3'), { fields: { dryRun: 'true' } })), ['created', 'created']);
    const after = await good(file('3'));
    assert.deepEqual(outcomesOf(after), ['created', 'created']);
    const phoneOf = async (id: string): Promise<string> => (await call('GET', `/clients/${id}`)).body.phone;
    assert.deepEqual(await Promise.all(ids.map(phoneOf)), ['2', '2']);
    assert.deepEqual(outcomesOf(await good(file('3'))), ['unchanged', 'unchanged']);
  });

  it('says on a dry run what would happen, and writes nothing', async () => {
    const before = await countAll();
    const result = await good('Name,E-mail\nOnly a try,no\nTry two,try@two.example', { fields: { dryRun: 'true' } });
    assert.deepEqual([result.dryRun, result.import, outcomesOf(result)], [true, null, ['invalid_format', 'created']]);
    assert.deepEqual(
      [result.rows[0].row, result.rows[0].field, result.rows[0].column, result.rows[0].cell, result.rows[0].reason],
      [2, 'contactEmail', 2, 'no', 'Enter an e-mail address, such as name@example.com.'],
    );
    assert.equal(await countAll(), before);
  });

  it('takes a file without a header, whose columns are named by their numbers', async () => {
    const fields = { dryRun: 'true', hasHeader: 'false' };
    const file = 'Weide,w@weide.example,7\nPappel,no,8\nEspe,e@espe.example,,9';
    const result = await good(file, { fields: { ...fields, mapping: '{"1":"name","2":"contactEmail"}' } });
    assert.deepEqual(
      result.rows.map((row: Body) => [row.row, row.name, row.code ?? row.outcome]),
      [
        [1, 'Weide', 'created'],
        [2, 'Pappel', 'invalid_format'],
        [3, 'Espe', 'wrong_columns'],
      ],
    );
    assert.equal(result.rows[2].reason, 'This row has 4 cells, and the first row has 3.');
    assert.deepEqual(result.columns, [
      { header: '', field: 'name' },
      { header: '', field: 'contactEmail' },
      { header: '', field: null },
    ]);
    const unnamed = await send('Name,E-mail\nErle,', { fields });
    assert.deepEqual([unnamed.status, unnamed.body.errors[0].field, unnamed.body.errors[0].code], [422, 'mapping', 'name_missing']);
    assert.equal((await send(file, { fields: { ...fields, hasHeader: 'no' } })).status, 422);
    const headed = await good('Name\nErle', { fields: { dryRun: 'true', hasHeader: 'true' } });
    assert.deepEqual(outcomesOf(headed), ['created']);
  });

  it('checks rows as the form does', async () => {
    const result = await good(
      [
        'Name,E-mail,Website,Time zone,Language,Booking link,Notes',
        ',a@b.example,,,,,',
        'www.evil.example,,,,,,',
        'A,,javascript:alert(1),,,,',
        'B,,,Nowhere,,,',
        'C,,,,Klingon,,',
        'D,,,,,ftp://x.example,',
        `E,,,,,,${'x'.repeat(4_001)}`,
        'F,,,,,,,more',
        'G,,,,,,a\u0000b',
        'H,,oak.example,Europe/Berlin,Español,oak.example/book,fine',
        'I,"never closed',
      ].join('\n'),
      { fields: { dryRun: 'true' } },
    );
    assert.deepEqual(
      result.rows.map((row: Body) => [row.row, row.field, row.code]),
      [
        [2, 'name', 'required'],
        [3, 'name', 'has_address'],
        [4, 'website', 'invalid_format'],
        [5, 'timezone', 'custom'],
        [6, 'locale', 'invalid_value'],
        [7, 'bookingUrl', 'custom'],
        [8, 'notes', 'too_big'],
        [9, null, 'wrong_columns'],
        [10, 'notes', 'not_storable'],
        [11, null, null],
        [12, null, 'unclosed_quote'],
      ],
    );
  });

  it('reads what spreadsheets write: the separator line, rows without their empty end, phone numbers in scientific notation', async () => {
    const file = 'sep=;\r\nName;E-mail;Phone\r\nKurz\r\nZahl;z@zahl.example;4,91517E+11\r\nText;t@text.example;+49 151 70000000';
    const result = await good(file, {});
    assert.deepEqual(outcomesOf(result), ['created', 'changed_by_spreadsheet', 'created']);
    const [, warned] = result.rows;
    assert.deepEqual([warned.row, warned.outcome, warned.field, warned.column, warned.cell], [4, 'created', 'phone', 3, '4,91517E+11']);
    assert.match(warned.reason, /^Excel changed this number/);
    assert.deepEqual([(await named('Zahl'))[0].phone, (await named('Text'))[0].phone], [null, '+49 151 70000000']);
  });

  it('refuses a reference that the spreadsheet changed, and leaves out cells with its errors', async () => {
    const file = [
      'Name;Your reference;Phone;Notes',
      'Gerundet;1,23E+11;+49 30 1;',
      'Verweis;#NV;;',
      'Kein Verweis;12E34;#N/A;#1 in town',
      '#REF!;x-7;;',
    ];
    const result = await good(file.join('\r\n'), { fields: { mode: 'valid' } });
    assert.deepEqual(
      result.rows.map((row: Body) => [row.row, row.outcome, row.field, row.column, row.cell, row.code]),
      [
        [2, 'refused', 'externalRef', 2, '1,23E+11', 'changed_by_spreadsheet'],
        [3, 'refused', 'externalRef', 2, '#NV', 'changed_by_spreadsheet'],
        [4, 'created', 'phone', 3, '#N/A', 'changed_by_spreadsheet'],
        [5, 'refused', 'name', 1, '#REF!', 'changed_by_spreadsheet'],
      ],
    );
    assert.match(result.rows[0].reason, /^Excel changed this number/);
    assert.match(result.rows[2].reason, /error of the spreadsheet/);
    const [made] = await named('Kein Verweis');
    assert.deepEqual([made.externalRef, made.phone, made.notes], ['12E34', null, '#1 in town']);
  });

  it('refuses a row that a spreadsheet set to another separator saved as one cell', async () => {
    const file =
      'Name,Phone,Time zone,Reason\n"Mispel,030 1,MEZ,""Use an IANA time zone, such as X."""\n"Meier, Schulz & Co"\n"Quitte, a, b, c",,,';
    const result = await good(file, { fields: { dryRun: 'true' } });
    assert.deepEqual(outcomesOf(result), ['wrong_columns', 'created', 'created']);
    assert.match(result.rows[0].reason, /one cell in quotation marks/);
  });

  it('takes an export of the clients, whose IDs are no names, and leaves them as they are', async () => {
    await good('Name,E-mail,Phone,Industry,Your reference\nZirbe,z@zirbe.example,+49 30 7,Forest,zirbe-1\nLegföhre,,,,');
    const exported = await service.call('GET', '/clients/export.csv', { as: 'owner' });
    assert.equal(exported.status, 200);
    const again = await good(exported.text, { fields: { dryRun: 'true' } });
    assert.deepEqual([again.columns[0].field, again.columns[1].field], ['id', 'name']);
    const outcomes = new Map(again.rows.map((row: Body) => [row.name, row.outcome]));
    assert.deepEqual([outcomes.get('Zirbe'), outcomes.get('Legföhre')], ['unchanged', 'unchanged']);
  });

  it('changes the clients of an export whose addresses and names were corrected in it, and no client of others by its ID', async () => {
    await good('Name,E-mail\nEibe,old@eibe.example\nZypresse,z@zypresse.example');
    const [eibe] = await named('Eibe');
    const [zypresse] = await named('Zypresse');
    const header = 'Client,Name,Mail,Phone';
    const rowsOfExport = [`${eibe.id},Eibe,new@eibe.example,+49 30 1`, `${zypresse.id.toUpperCase()},Zypresse GmbH,z@zypresse.example,`];
    const changed = await good([header, ...rowsOfExport].join('\n'));
    assert.deepEqual(outcomesOf(changed), ['updated', 'updated']);
    assert.deepEqual([(await named('Eibe')).length, (await named('Eibe'))[0].contactEmail], [1, 'new@eibe.example']);
    assert.equal((await named('Zypresse GmbH'))[0].id, zypresse.id);
    const foreign = await good([header, `${service.world.rivalClientId},Zeder,,`, '1042,Zirbelkiefer,,'].join('\n'), {
      fields: { dryRun: 'true' },
    });
    assert.deepEqual(outcomesOf(foreign), ['created', 'created']);
  });

  it('takes a file as the body too, with the same texts in the address, up to the same size', async () => {
    const post = async (query: string, body: string | Buffer, type = 'text/csv; charset=utf-8') => {
      const headers = { ...service.bearer('owner'), 'content-type': type };
      const response = await fetch(`${origin}/clients/import${query}`, {
        method: 'POST',
        body: new Uint8Array(Buffer.from(body)),
        headers,
      });
      return { status: response.status, body: (await response.json()) as Body };
    };
    const tried = await post('?dryRun=true&hasHeader=false&mapping=%7B%221%22%3A%22name%22%7D', 'Weide;7');
    assert.deepEqual([tried.status, tried.body.dryRun, outcomesOf(tried.body)], [200, true, ['created']]);
    const made = await post('', 'Name,E-mail\nAls Rumpf,r@rumpf.example');
    assert.deepEqual([made.status, made.body.import.filename, outcomesOf(made.body)], [200, 'clients.csv', ['created']]);
    assert.deepEqual((await post('?mode=some', 'Name\nX')).body.errors[0].field, 'mode');
    assert.deepEqual((await post('', Buffer.alloc(5 * 1024 * 1024, 'x'))).body.code, 'too_large');
    const other = await post('', 'Name\nX', 'application/json');
    assert.deepEqual([other.status, other.body.code], [415, 'unsupported_media_type']);
    assert.match(other.body.detail, /or as the body, of type text\/csv/);
  });

  it('writes nothing when a row is refused, or all that can be, as asked', async () => {
    const before = await countAll();
    const file = 'Name,E-mail\nLinde,no\nErle,\nErle,';
    const all = await good(file, { fields: { mode: 'all' } });
    assert.deepEqual([all.import, outcomesOf(all)], [null, ['invalid_format', 'created', 'duplicate_in_file']]);
    assert.equal(await countAll(), before);
    const valid = await good(file, { fields: { mode: 'valid' } });
    assert.deepEqual(
      [valid.import.counts, outcomesOf(valid)],
      [{ created: 1, updated: 0, unchanged: 0, refused: 2 }, ['invalid_format', 'created', 'duplicate_in_file']],
    );
  });

  it('fills the fields that the mapping names', async () => {
    const mapped = (mapping: unknown, dryRun = 'true') => send('x,y\nAhorn,note', { fields: { mapping: JSON.stringify(mapping), dryRun } });
    const { body } = await mapped({ 1: 'name', 2: 'notes' });
    assert.deepEqual(body.columns, [
      { header: 'x', field: 'name' },
      { header: 'y', field: 'notes' },
    ]);
    for (const [mapping, code] of [
      [{ 2: 'notes' }, 'name_missing'],
      [{ 1: 'name', 3: 'notes' }, 'unknown_column'],
      [{ 1: 'name', 2: 'name' }, 'custom'],
      [{ 1: 'secret' }, 'custom'],
      [[], 'custom'],
    ] as const)
      assert.equal((await mapped(mapping)).body.errors[0].code, code, JSON.stringify(mapping));
  });

  it('refuses files that are no table, with the reason', async () => {
    const problemOf = async (file: string | Uint8Array | null, fields = {}) => {
      const { status, body } = await send(file, { fields });
      return [status, body.errors?.[0]?.code ?? body.code];
    };
    assert.deepEqual(await problemOf(null), [422, 'required']);
    assert.deepEqual(await problemOf(''), [422, 'empty']);
    assert.deepEqual(await problemOf('Name'), [422, 'no_rows']);
    assert.deepEqual(await problemOf('Colour\nred'), [422, 'name_missing']);
    assert.deepEqual(await problemOf('PK\u0003\u0004'), [422, 'workbook']);
    assert.deepEqual(await problemOf(`Name\n${'x\n'.repeat(LIMITS.importRowsMax + 1)}`), [422, 'too_many_rows']);
    assert.deepEqual(await problemOf(`Name\n${'x'.repeat(3_000_000)}`), [422, 'record_too_long']);
    assert.deepEqual(await problemOf(Buffer.from([0x4e, 0xe9]), { encoding: 'utf-8' }), [422, 'encoding']);
    assert.deepEqual(await problemOf('x'.repeat(LIMITS.importBytesMax + 1)), [413, 'too_large']);
  });

  it('is for admins of the agency, and sees and changes its own clients only', async () => {
    for (const [as, code] of [
      ['moderator', 'partner_role_forbidden'],
      ['clientUser', 'role_forbidden'],
      ['staff', 'role_forbidden'],
    ] as const)
      assert.equal((await send('Name\nX', { as })).body.code, code, as);
    const file = 'Name,Your reference\nZeder,shared';
    const own = await good(file);
    const rival = await good(file, { as: 'rivalOwner' });
    assert.deepEqual([outcomesOf(own), outcomesOf(rival)], [['created'], ['created']]);
    for (const path of ['', '/rows', '/rows/export.csv']) {
      assert.equal((await call('GET', `/clients/imports/${own.import.id}${path}`, 'rivalOwner')).body.code, 'not_found');
      assert.equal((await call('GET', `/clients/imports/${own.import.id}${path}`, 'moderator')).status, 200);
    }
    assert.equal((await undo(own.import.id, 'rivalOwner')).body.code, 'not_found');
    assert.equal((await undo(own.import.id, 'moderator')).body.code, 'partner_role_forbidden');
    assert.equal((await call('GET', '/clients/imports', 'rivalOwner')).body.data.length, 1);
    assert.equal((await named('Zeder')).length, 1);
  });

  it('keeps what it did: a list, and the rows as pages and as a safe CSV', async () => {
    const { import: made } = await good('Name,Notes\n=cmd(),1\nUlme,2\n,3', { fields: { mode: 'valid' }, name: '../a/b.csv' });
    const list = await call('GET', '/clients/imports?limit=1');
    assert.deepEqual(
      [list.body.data[0], list.body.data[0].filename, list.body.data[0].createdBy.email],
      [made, 'b.csv', 'owner@portal.test'],
    );
    const page = await call('GET', `/clients/imports/${made.id}/rows?limit=2`);
    const rest = await call('GET', `/clients/imports/${made.id}/rows?limit=2&cursor=${page.body.nextCursor}`);
    assert.deepEqual(
      [...page.body.data, ...rest.body.data].map((row: Body) => row.row),
      [2, 3, 4],
    );
    const refused = await call('GET', `/clients/imports/${made.id}/rows/export.csv?outcome=refused`);
    assert.match(refused.text, /\r\n4,refused,,,Name,,required,This field is required\.,,\r\n$/);
    assert.match((await call('GET', `/clients/imports/${made.id}/rows/export.csv`)).text, /,'=cmd\(\),/);
    const template = await call('GET', '/clients/import/template.csv', 'moderator');
    const back = await good(template.text, { fields: { dryRun: 'true' } });
    assert.deepEqual(outcomesOf(back), ['created', 'created']);
    assert.ok(back.columns.every((column: Body) => column.field !== null));
  });
});

describe('sending an import again', () => {
  it('adds no client twice, with references or without', async () => {
    const file = 'Name,E-mail,Your reference\nKiefer,k@kiefer.example,\nLaerche,,w1\nPappel,,';
    assert.deepEqual(outcomesOf(await good(file)), ['created', 'created', 'created']);
    assert.deepEqual(outcomesOf(await good(file)), ['unchanged', 'unchanged', 'unchanged']);
    assert.equal((await named('Kiefer')).length, 1);
  });

  it('with the same Idempotency-Key answers as the first call, also at the same time, and does nothing more', async () => {
    const headers = { 'idempotency-key': 'import-1' };
    const before = (await actionsOf()).filter((action) => action === 'client.imported').length;
    const results = await Promise.all([good('Name\nWeide', { headers }), good('Name\nWeide', { headers, at: otherOrigin })]);
    assert.deepEqual(results[0], results[1]);
    assert.deepEqual(await good('Name\nWeide', { headers }), results[0]);
    assert.equal((await actionsOf()).filter((action) => action === 'client.imported').length, before + 1);
    const rival = await good('Name\nWeide', { headers, as: 'rivalOwner' });
    assert.notEqual(rival.import.id, results[0].import.id);
    passedMs += (LIMITS.idempotencyHours + 1) * HOUR_MS;
    assert.notEqual((await good('Name\nWeide', { headers })).import.id, results[0].import.id);
    const other = await send('Name\nAndere', { headers });
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused']);
  });
});

describe('the limit of the plan', () => {
  it('refuses a whole file, or the rows beyond it', async () => {
    await limitTo(2);
    const file = 'Name\nP1\nP2\nP3';
    const all = await good(file);
    assert.deepEqual([all.import, outcomesOf(all)], [null, ['created', 'created', 'client_limit_reached']]);
    assert.equal(all.clientLimit.included - all.clientLimit.used, 2);
    const valid = await good(file, { fields: { mode: 'valid' } });
    assert.deepEqual(outcomesOf(valid), ['created', 'created', 'client_limit_reached']);
  });

  it('holds when two processes import at the same time, and clients are added meanwhile', async () => {
    await limitTo(5);
    const rows = (from: string) => `Name\n${Array.from({ length: 4 }, (_, n) => `${from} ${n}`).join('\n')}`;
    const valid = { fields: { mode: 'valid' } };
    const [a, b, c] = await Promise.all([
      good(rows('Left'), valid),
      good(rows('Right'), { ...valid, at: otherOrigin }),
      call('POST', '/clients', 'owner', { name: 'Beside' }),
    ]);
    assert.equal(a.counts.created + b.counts.created + (c.status === 201 ? 1 : 0), 5);
    await limitTo(null);
    const same = 'Name,Your reference\nTwin,twin';
    const twins = await Promise.all([good(same), good(same, { at: otherOrigin })]);
    assert.deepEqual(twins.flatMap(outcomesOf).toSorted(), ['created', 'unchanged']);
  });
});

describe('undoing an import', () => {
  before(() => limitTo(null));

  it('removes what it added and restores what it changed, but for what was touched since, row by row', async () => {
    await good('Name,Phone,Opening hours,Your reference\nU1,1,early,u1\nU2,1,,u2\nU3,1,,u3');
    const { import: made } = await good(
      [
        'Name,Phone,Opening hours,Notes,Your reference',
        'U1,2,late,,u1',
        'U2,2,,,u2',
        'U3,2,,,u3',
        ...['N1', 'N2', 'N3', 'N4', 'N5', 'N6'].map((name) => `${name},,,,${name}`),
      ].join('\n'),
    );
    const idOf = async (name: string): Promise<string> => (await named(name))[0].id;
    const { partnerId } = service.world;
    await call('PATCH', `/clients/${await idOf('U1')}`, 'owner', { notes: 'another field' });
    await call('PATCH', `/clients/${await idOf('U2')}`, 'owner', { phone: '3' });
    await call('POST', `/clients/${await idOf('U3')}/archive`);
    await call('PATCH', `/clients/${await idOf('N2')}`, 'owner', { notes: 'mine' });
    await call('POST', `/clients/${await idOf('N3')}/suspend`, 'owner', {});
    const n4 = await idOf('N4');
    await service.db.asSystem('seed', (tx) => addWorkflow(tx, { partnerId, clientId: n4, templateName: 'missed-call-text-back' }));
    const invited = await call('POST', '/invitations', 'owner', { kind: 'client_user', email: 'n5@user.test', clientId: await idOf('N5') });
    assert.equal(invited.status, 201);
    await call('POST', `/clients/${await idOf('N6')}/archive`);
    const undone = await undo(made.id);
    assert.deepEqual([undone.status, undone.body.undone], [200, { at: undone.body.undone.at, removed: 1, restored: 1, kept: 7 }]);
    assert.deepEqual(
      (await rowsOf(made.id)).map((row) => [row.name, row.undo, row.undoReason, row.clientId !== null]),
      [
        ['U1', 'restored', null, true],
        ['U2', 'kept', 'Changed since the import: phone.', true],
        ['U3', 'kept', 'This client has since been archived.', true],
        ['N1', 'removed', null, false],
        ['N2', 'kept', 'This client has since been changed.', true],
        ['N3', 'kept', 'This client has since been changed.', true],
        ['N4', 'kept', 'This client has agents.', true],
        ['N5', 'kept', 'People were invited to this client.', true],
        ['N6', 'kept', 'This client has since been changed.', true],
      ],
    );
    const [u1] = await named('U1');
    assert.deepEqual([u1.phone, u1.businessProfile.hours, u1.notes], ['1', 'early', 'another field']);
    assert.equal((await named('U2'))[0].phone, '3');
    assert.deepEqual(await named('N1'), []);
    assert.deepEqual((await actionsOf()).slice(-2), ['client.changed', 'client.import_undone']);
    // Sent again, the file brings back what was taken away.
    assert.equal((await good('Name,Your reference\nN1,N1')).counts.created, 1);
  });

  it('removes a client that people only looked at, with what was recorded of that, and keeps one that has an invitation as well', async () => {
    const { import: made } = await good('Name\nLooked at\nExported\nInvited');
    const { partnerId, people } = service.world;
    const idOf = async (name: string): Promise<string> => (await named(name))[0].id;
    const [looked, exported, invited] = [await idOf('Looked at'), await idOf('Exported'), await idOf('Invited')];
    await service.db.asSystem('seed', async (tx) => {
      const actor = { userId: people.owner.userId, role: 'PARTNER' as const };
      await recordLook(tx, actor, 'runs', { partnerId, clientId: looked });
      await recordLooks(tx, actor, 'exports', new Set([looked, exported, invited]));
    });
    const mailed = await call('POST', '/invitations', 'owner', { kind: 'client_user', email: 'kept@user.test', clientId: invited });
    assert.equal(mailed.status, 201);
    assert.deepEqual((await undo(made.id)).body.undone.removed, 2);
    assert.deepEqual(
      (await rowsOf(made.id)).map((row) => [row.name, row.undo, row.undoReason]),
      [
        ['Looked at', 'removed', null],
        ['Exported', 'removed', null],
        ['Invited', 'kept', 'People were invited to this client.'],
      ],
    );
    const looks = await service.db.asSystem('seed', (tx) =>
      tx.selectFrom('clientLook').select('kind').where('clientId', 'in', [looked, invited]).execute(),
    );
    assert.deepEqual(looks, [{ kind: 'exports' }], 'those of the client that stays');
  });

  it('removes a client whose name the import itself gave to staff to look at, with that review, also a decided one', async () => {
    const { import: made } = await good('Name\nSantander Apotheke\nPayPal Praxis\nSparkasse Invited');
    const idOf = async (name: string): Promise<string> => (await named(name))[0].id;
    const invited = await idOf('Sparkasse Invited');
    const reviewed = () =>
      service.db.asSystem('seed', async (tx) =>
        (await tx.selectFrom('nameReview').select('clientId').where('clientId', 'is not', null).execute()).map(({ clientId }) => clientId),
      );
    assert.equal((await reviewed()).length, 3);
    const decided = await idOf('PayPal Praxis');
    await service.db.asSystem('seed', (tx) =>
      tx.updateTable('nameReview').set({ status: 'rejected', decidedAt: new Date() }).where('clientId', '=', decided).execute(),
    );
    const mailed = await call('POST', '/invitations', 'owner', { kind: 'client_user', email: 'kept-2@user.test', clientId: invited });
    assert.equal(mailed.status, 201);
    assert.equal((await undo(made.id)).status, 200);
    assert.deepEqual(
      (await rowsOf(made.id)).map((row) => [row.name, row.undo, row.undoReason]),
      [
        ['Santander Apotheke', 'removed', null],
        ['PayPal Praxis', 'removed', null],
        ['Sparkasse Invited', 'kept', 'People were invited to this client.'],
      ],
    );
    assert.deepEqual(await reviewed(), [invited]);
  });

  it('happens once, however often it is asked for', async () => {
    const { import: made } = await good('Name\nOnce');
    const before = (await actionsOf()).length;
    const replies = await Promise.all([
      undo(made.id),
      undo(made.id),
      other.call('POST', `/clients/imports/${made.id}/undo`, { as: 'owner' }),
    ]);
    for (const { status, body } of replies) assert.deepEqual([status, body], [200, replies[0].body]);
    assert.deepEqual((await actionsOf()).slice(before), ['client.import_undone']);
    passedMs += 2 * HOUR_MS;
    assert.deepEqual((await undo(made.id)).body, replies[0].body);
  });

  it('is possible for an hour; then former values are forgotten, and in the end the import', async () => {
    await good('Name,Phone\nKept,1');
    const { import: made } = await good('Name,Phone\nKept,2');
    passedMs += HOUR_MS;
    assert.equal((await undo(made.id)).body.code, 'invalid_state');
    const former = () =>
      service.db.asSystem('seed', async (tx) => {
        const rows = await tx.selectFrom('clientImportRow').select('changes').where('importId', '=', made.id).execute();
        return rows.map(({ changes }) => changes);
      });
    assert.deepEqual(await former(), [{ phone: ['1', '2'] }]);
    await forgetImports({ db: service.db, clock });
    assert.deepEqual(await former(), [null]);
    assert.equal((await call('GET', `/clients/imports/${made.id}`)).status, 200);
    await forgetImports({ db: service.db, clock: { now: () => new Date(clock.now().getTime() + (LIMITS.importDays + 1) * 24 * HOUR_MS) } });
    assert.equal((await call('GET', `/clients/imports/${made.id}`)).body.code, 'not_found');
    assert.equal((await named('Kept')).length, 1);
  });
});
