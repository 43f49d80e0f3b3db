import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { failureOf } from '@partner-portal/core/execution/failures.ts';
import { messagesFor } from '@partner-portal/messages/all.ts';
import { failureSentence } from '@partner-portal/messages/failure-sentence.ts';
import { csvLine } from '@partner-portal/core/csv/csv.ts';
import { type ExportService, startExportService, type Unpacked } from '@partner-portal/tests/harness/exports.ts';
import { AGENCY_ONLY, fillAccount, FORMULAS, type FullAccount, knowledgeOf, SECRETS } from '@partner-portal/tests/harness/full-account.ts';
import { parse } from 'csv-parse/sync';
import { v7 } from 'uuid';
import { KINDS } from './kinds/index.ts';

let service: ExportService;
let own: FullAccount;
/** The export of the agency, of one client as its agency gets it, and as the client does. */
let agency: Unpacked;
let clientOfAgency: Unpacked;
let client: Unpacked;
before(async () => {
  service = await startExportService();
  const { partnerId, clientId, otherClientId, rivalPartnerId, rivalClientId, people } = service.world;
  own = await fillAccount(service, { partnerId, clientId, userId: people.clientUser.userId }, 'OWN');
  await fillAccount(service, { partnerId, clientId: otherClientId, userId: people.otherClientUser.userId }, 'NEIGHBOUR');
  await fillAccount(service, { partnerId: rivalPartnerId, clientId: rivalClientId, userId: people.rivalClientUser.userId }, 'RIVAL');
  const unpacked = async (as: 'owner' | 'clientUser', body: Record<string, unknown>): Promise<Unpacked> => {
    const made = await service.exported(as, body);
    assert.equal(made.status, 'ready', made.error ?? '');
    return service.unpack(as, made.id);
  };
  agency = await unpacked('owner', { scope: 'partner' });
  clientOfAgency = await unpacked('owner', { scope: 'client', clientId });
  client = await unpacked('clientUser', { scope: 'client' });
});
after(() => service.close());

const all = (): [string, Unpacked][] => Object.entries({ agency, clientOfAgency, client });

describe('the archive', () => {
  it('opens with unzip', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'export-'));
    try {
      for (const [name, { archive }] of all()) {
        writeFileSync(join(folder, `${name}.zip`), archive);
        const output = execFileSync('unzip', ['-t', join(folder, `${name}.zip`)], { encoding: 'utf8' });
        assert.match(output, /No errors detected/);
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      t.skip('unzip is not installed; the other tests read the archive with a library');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('holds every kind of record twice, and the manifest says how many', () => {
    for (const { name } of KINDS) {
      const lines = agency.rows(name);
      assert.ok(lines.length > 0, `${name} has no rows`);
      assert.equal(agency.cells(name).length, lines.length, name);
      for (const extension of ['jsonl', 'csv']) {
        const entry = agency.manifest.files.find(({ path }) => path === `data/${name}.${extension}`);
        assert.deepEqual([entry?.kind, entry?.rows], [name, lines.length]);
      }
      assert.match(agency.entries.get('README.txt')?.toString() ?? '', new RegExp(`^${name} {2,}`, 'm'));
    }
  });

  it('holds in each CSV file, read by another parser, what the JSON lines hold', () => {
    for (const [of, archive] of all()) {
      for (const { name } of KINDS) {
        if (!archive.entries.has(`data/${name}.jsonl`)) continue;
        const expected = archive
          .rows(name)
          .map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [column, cellOf(value)])));
        const found = archive
          .cells(name)
          .map((row) => Object.fromEntries(Object.entries(row).map(([column, text]) => [column, readJson(text)])));
        assert.deepEqual(found, expected, `${of}: ${name}`);
      }
    }
  });

  it('has no cell that a spreadsheet runs as a formula, and the text itself in the JSON lines', () => {
    for (const [path, content] of agency.entries) {
      if (!path.endsWith('.csv')) continue;
      for (const row of parse(content, { bom: true }) as string[][])
        for (const cell of row) assert.doesNotMatch(cell, /^[\s]*[=+\-@](?!\d+$)/, `${path}: ${cell}`);
    }
    const [row] = agency.rows('agents').filter(({ id }) => id === own.workflowId);
    assert.equal(row?.['name'], `${FORMULAS[2]} OWN`);
  });

  it('holds media, what chatbots know and the documents of invoices', () => {
    const media = [...client.entries].filter(([path]) => path.startsWith('files/'));
    assert.deepEqual(
      media.map(([path, content]) => [path.replace(/[\da-f-]{36}/, 'ID'), content.toString()]),
      [
        ['files/knowledge/ID-Prices_OWN.txt', knowledgeOf('OWN').toString()],
        ['files/media/ID-logo_OWN.png', own.image.toString()],
      ],
    );
    assert.equal(client.rows('media')[0]?.['filename'], own.mediaName);
    assert.equal(agency.entries.get('files/invoices/INV-OWN.pdf')?.toString(), own.pdf.toString());
  });
});

describe('an export holds no secret', () => {
  for (const [name, canary] of Object.entries(SECRETS))
    it(name, () => {
      for (const [of, { text }] of all()) assert.ok(!text.includes(canary), `${of} holds ${name}`);
    });

  it('whose values in runs read [hidden], while the others are whole', () => {
    const [run] = agency.rows('runs').filter(({ id }) => id === own.executionId);
    assert.deepEqual(run?.['input'], { caller: '+13125550121', text: `${FORMULAS[4]} OWN\nand; =more`, password: '[hidden]' });
    assert.deepEqual(run?.['output'], { said: 'Hello OWN', apiKey: '[hidden]' });
    assert.deepEqual(run?.['understood'], { caller: '+13125550121', password: '[hidden]' });
    assert.deepEqual(run?.['remarks'], [{ key: 'caller', remark: 'Two numbers came.' }]);
    const [planned] = clientOfAgency.rows('planned-runs');
    assert.deepEqual(planned?.['input'], { note: 'With OWN', password: '[hidden]' });
  });
});

describe('requests and alerts', () => {
  it('name the people of the account who made and decided them, and no staff', () => {
    const { userId } = service.world.people.clientUser;
    const [request] = agency.rows('agent-requests').filter(({ requestedBy }) => requestedBy === userId);
    assert.deepEqual([request?.['title'], request?.['reviewedBy']], ['Wish OWN', null]);
    const [alert] = agency.rows('alerts').filter(({ acknowledgedBy }) => acknowledgedBy === userId);
    assert.deepEqual([alert?.['message'], alert?.['resolvedBy']], ['Alert OWN', null]);
  });
});

describe('an export holds its account only', () => {
  it('of an agency nothing of another one', () => {
    assert.ok(agency.text.includes('OWN') && agency.text.includes('NEIGHBOUR'));
    for (const [of, { text }] of all()) assert.ok(!text.includes('RIVAL'), of);
  });

  it('of a client nothing of another client, nor of the agency itself', () => {
    for (const archive of [clientOfAgency, client]) {
      assert.ok(archive.text.includes('OWN'));
      assert.ok(!archive.text.includes('NEIGHBOUR') && !archive.text.includes('Elm Road Physio'));
      for (const name of ['account', 'orders', 'invoices', 'invoice-lines', 'webhooks', 'deliveries', 'single-sign-on'])
        assert.ok(!archive.entries.has(`data/${name}.jsonl`), name);
      assert.deepEqual(
        archive.rows('clients').map(({ id }) => id),
        [service.world.clientId],
      );
    }
  });

  it('as a client gets it, nothing that only the agency may read', () => {
    for (const canary of [
      ...Object.values(AGENCY_ONLY),
      'owner@portal.test',
      'moderator@portal.test',
      'secret-staff@portal.test',
      '+13125550121',
    ])
      assert.ok(!client.text.includes(canary), canary);
    for (const canary of [AGENCY_ONLY.clientNotes, AGENCY_ONLY.cause, AGENCY_ONLY.decisionNote, '+13125550121'])
      assert.ok(clientOfAgency.text.includes(canary), `the agency reads ${canary}`);
    const failures = (archive: Unpacked) =>
      archive.rows('runs').flatMap((row) => (row['status'] === 'FAILED' ? [[row['errorCode'], row['errorMessage']]] : []));
    const [[code, cause] = []] = failures(clientOfAgency);
    assert.equal(cause, AGENCY_ONLY.cause);
    assert.deepEqual(failures(client), [[code, failureSentence(messagesFor('en').t, failureOf(String(code)).kind)]]);
    const credits = (archive: Unpacked) => archive.rows('usage').map((row) => row['credits']);
    assert.deepEqual(
      [credits(client), credits(clientOfAgency)],
      [
        [-1, -2],
        [-1, -2, -7],
      ],
    );
    for (const name of ['audit-log', 'alerts', 'invitations', 'schedules']) {
      assert.ok(!client.entries.has(`data/${name}.jsonl`), name);
      assert.ok(clientOfAgency.rows(name).length > 0, name);
    }
  });

  it('as a client gets it, its stop list, as it reads it', () => {
    const listed = (archive: Unpacked) =>
      archive
        .rows('opt-outs')
        .map((row) => [row['contact'], row['reason'], row['note'], row['addedBy']])
        .toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
    const { people } = service.world;
    assert.deepEqual(listed(client), [
      ['+1555OWN', 'agent', null, null],
      ['+1556OWN', 'client', 'Asked OWN', people.clientUser.userId],
    ]);
    assert.deepEqual(listed(clientOfAgency), listed(client));
  });

  it('names no staff', () => {
    for (const [of, { text }] of all()) assert.ok(!text.includes('secret-staff@portal.test') && !text.includes('staff@portal.test'), of);
  });
});

describe('the runs of an export', () => {
  it('have the tone that the portal shows, also those that ended before it was stored', async () => {
    const [run] = agency.rows('runs').filter((row) => row['payload'] === 'stored');
    const copy = async (change: object, output: object): Promise<string> => {
      const id = v7();
      for (const [table, values] of [
        ['execution', { ...change, id }],
        ['execution_payload', { id, output }],
      ] as const)
        await service.query(`insert into ${table} select (jsonb_populate_record(t, $2::jsonb)).* from ${table} t where t.id = $1`, [
          run?.['id'],
          JSON.stringify(values),
        ]);
      return id;
    };
    const tones = [
      [{ status: 'SUCCEEDED', tone: 'attention' }, {}, 'attention'],
      [{ status: 'SUCCEEDED', tone: null }, {}, 'good'],
      [{ status: 'SUCCEEDED', tone: null, stopped: true }, { skipped: true }, 'neutral'],
      [{ status: 'FAILED', tone: null }, {}, null],
    ] as const;
    const ids: string[] = [];
    for (const [change, output] of tones) ids.push(await copy(change, output));
    for (const as of ['owner', 'clientUser'] as const) {
      const made = await service.exported(as, as === 'owner' ? { scope: 'partner' } : { scope: 'client' });
      assert.equal(made.status, 'ready', made.error ?? '');
      const rows = (await service.unpack(as, made.id)).rows('runs');
      assert.deepEqual(
        ids.map((id) => rows.find((row) => row['id'] === id)?.['tone']),
        tones.map(([, , tone]) => tone),
      );
    }
  });
});

describe('an export of what is old', () => {
  it('holds contents of runs for 90 days and deliveries for 30, also before their month is dropped', async () => {
    const daysAgo = (days: number): string => v7({ msecs: Date.now() - days * 86_400_000 });
    const [run] = agency.rows('runs').filter((row) => row['payload'] === 'stored');
    const [delivery] = agency.rows('deliveries');
    const copies = { run: [daysAgo(89.9), daysAgo(90.1)], delivery: [daysAgo(29.9), daysAgo(30.1)] } as const;
    for (const id of copies.run)
      for (const table of ['execution', 'execution_payload'])
        await service.query(
          `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', $2::text))).* from ${table} t where t.id = $1`,
          [run?.['id'], id],
        );
    for (const id of copies.delivery)
      await service.query(
        "insert into delivery select (jsonb_populate_record(t, jsonb_build_object('id', $2::text))).* from delivery t where t.id = $1",
        [delivery?.['id'], id],
      );
    const made = await service.exported('owner', { scope: 'partner' });
    assert.equal(made.status, 'ready', made.error ?? '');
    const archive = await service.unpack('owner', made.id);
    const contents = copies.run.map((id) => archive.rows('runs').find((row) => row['id'] === id));
    assert.deepEqual(
      contents.map((row) => [
        row?.['payload'],
        row?.['summary'],
        row?.['input'] === null,
        row?.['output'] === null,
        row?.['steps'] === null,
      ]),
      [
        ['stored', run?.['summary'], run?.['input'] === null, run?.['output'] === null, run?.['steps'] === null],
        ['expired', null, true, true, true],
      ],
    );
    assert.notEqual(run?.['input'], null);
    assert.deepEqual(
      copies.delivery.map((id) => archive.rows('deliveries').some((row) => row['id'] === id)),
      [true, false],
    );
  });
});

describe('the ledger of an export', () => {
  it('is whole, also where a batch ends between the two entries of a run with AI tokens', async () => {
    const usage = KINDS.find(({ name }) => name === 'usage') ?? assert.fail('There is no kind for the ledger.');
    const { partnerId } = service.world;
    const { length } = agency.rows('usage');
    // All of them after those that the account has, the two of the last run around the end of the first batch.
    const runs = Array.from({ length: usage.batch - length }, (_, index) => v7({ msecs: Date.now() + index }));
    const insert = (kind: string, of: readonly string[]) =>
      service.query(`insert into usage_entry (id, kind, partner_id, credits) select id, $1, $2, -1 from unnest($3::uuid[]) id`, [
        kind,
        partnerId,
        of,
      ]);
    await insert('run', runs);
    await insert('ai_tokens', runs.slice(-1));
    const made = await service.exported('owner', { scope: 'partner' });
    assert.equal(made.status, 'ready', made.error ?? '');
    const archive = await service.unpack('owner', made.id);
    assert.deepEqual([archive.rows('usage').length, archive.cells('usage').length], [usage.batch + 1, usage.batch + 1]);
  });
});

/** The cell of a value; structured values are compared by value. */
function cellOf(value: unknown): unknown {
  if (value === null) return '';
  if (typeof value === 'object') return readJson(disarmed(JSON.stringify(value)));
  return readJson(typeof value === 'string' ? disarmed(value) : String(value));
}

function disarmed(text: string): string {
  const [cells] = parse(csvLine([text])) as string[][];
  return cells?.[0] ?? '';
}

function readJson(text: string): unknown {
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
