import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { rearm } from '@partner-portal/core/csv/csv.ts';
import { clients } from '@partner-portal/service/modules/2-tenancy/clients/index.ts';
import { readerTag } from '@partner-portal/service/modules/2-tenancy/identity/index.ts';
import { media } from '@partner-portal/service/modules/2-tenancy/media/index.ts';
import { team } from '@partner-portal/service/modules/2-tenancy/team/index.ts';
import { chatbot } from '@partner-portal/service/modules/3-product/chatbot/index.ts';
import { inboxHandlers } from '@partner-portal/service/modules/3-product/conversations/index.ts';
import { addConversation, rows } from '@partner-portal/service/modules/3-product/conversations/test-conversations.ts';
import { createNotify, notifications } from '@partner-portal/service/modules/5-reactions/notifications/index.ts';
import { accountExport } from '@partner-portal/service/modules/6-views/account-export/index.ts';
import { CSV_PAGE } from '@partner-portal/service/platform/http/csv-list.ts';
import type { Notices } from '@partner-portal/service/platform/notify.ts';
import { parse } from 'csv-parse/sync';
import { type Body, startTestService, type TestService } from '../harness/service.ts';
import type { Person } from '../harness/world.ts';
import { assertNothingHeldHere } from '../harness/held.ts';

/** More than an export reads at once. */
const MANY = CSV_PAGE + 2;
/** No list follows changes. */
const SILENT: Notices = { subscribe: () => () => undefined, close: () => Promise.resolve() };

let service: TestService;
let conversationId: string;
before(async () => {
  service = await startTestService({
    modules: (platform) => [
      clients(platform),
      team(platform),
      media({ ...platform, readerTag }),
      chatbot({ ...platform, publicBaseUrl: platform.baseUrl }),
      { routes: inboxHandlers({ ...platform, notices: SILENT, templates: [] }) },
      notifications({
        ...platform,
        notices: SILENT,
        queueMail: platform.mail.queueMail,
        cancelKeyed: platform.mail.cancelKeyed,
        links: platform.mail.links,
      }),
      accountExport({ ...platform, notices: SILENT, notify: createNotify(platform.mail) }),
    ],
  });
  await fill(service);
});
after(async () => {
  await service.close();
  assertNothingHeldHere();
});

/** Gives the agency many rows of each list, half of which a filter leaves; texts begin as a formula does. */
async function fill({ world }: TestService): Promise<void> {
  const { partnerId, clientId, people } = world;
  const add = (text: string, ...values: unknown[]) => rows(service, text, values);
  await add(
    `insert into client (partner_id, name, timezone) select $1, '=client ' || n, 'UTC' from generate_series(1, $2::int) n`,
    partnerId,
    MANY,
  );
  await add(
    `insert into app_user (partner_id, role, partner_role, email, full_name)
      select $1, 'PARTNER', 'moderator', 'member' || n || '@portal.test', '=member ' || n from generate_series(1, $2::int) n`,
    partnerId,
    MANY,
  );
  await add(
    `insert into client_import (id, partner_id, created_by, filename, mode, created, updated, unchanged, refused, reading, created_at, undo_until)
      select uuidv7(), $1, $2, '=file ' || n, 'all', n, 0, 0, 0, '{}', now(), now() from generate_series(1, $3::int) n`,
    partnerId,
    people.owner.userId,
    MANY,
  );
  conversationId = await addConversation(service, { texts: [] });
  await add(
    `insert into conversation_message (partner_id, client_id, conversation_id, author, content)
      select $1, $2, $3, 'visitor', '=message ' || n from generate_series(1, $4::int) n`,
    partnerId,
    clientId,
    conversationId,
    MANY,
  );
  await add(
    `insert into notification (partner_id, user_id, type, tone, title, body, href, subject, dedupe_key, mail, read_at)
      select $1, $2, 'security', 'info', '=title ' || n, 'Body.', '/dashboard', 'subject', 'key ' || n, 'off', case when n % 2 = 0 then now() end
      from generate_series(1, $3::int) n`,
    partnerId,
    people.owner.userId,
    2 * MANY,
  );
  await add(
    `insert into account_export (partner_id, client_id, scope, status, requested_by, error)
      select $1, case when n % 2 = 0 then $2::uuid end, case when n % 2 = 0 then 'client' else 'partner' end, case when n % 2 = 0 then 'failed' else 'expired' end, $3, '=error ' || n
      from generate_series(1, $4::int) n`,
    partnerId,
    clientId,
    people.owner.userId,
    2 * MANY,
  );
  await add(
    `with stored as (insert into file (partner_id, purpose, content_type, chunk_bytes) values ($1, 'media', 'image/png', 262144) returning id)
      insert into media (partner_id, client_id, purpose, key, filename, content_type, size_bytes, file_id)
      select $1, case when n % 2 = 0 then $2::uuid end, case when n % 2 = 0 then 'general' else 'logo' end, 'key-of-a-file-that-no-list-exports-' || n, '=file ' || n, 'image/png', n, stored.id
      from stored, generate_series(1, $3::int) n`,
    partnerId,
    clientId,
    2 * MANY,
  );
}

type Case = {
  list: string;
  /** Cells that show a member of the list, by their heading. */
  cells: Record<string, (row: Body) => unknown>;
  /** Filters that leave some of the rows. */
  filters: readonly string[];
  /** People of the same account who read all of the list. */
  readers: readonly Person[];
  refused: Partial<Record<Person, string>>;
  /** People of other accounts, who get none of these rows. */
  strangers: readonly Person[];
};

const CASES: readonly Case[] = [
  {
    list: '/clients/imports',
    cells: {
      Import: (row) => row.id,
      File: (row) => row.filename,
      Created: (row) => row.counts.created,
      By: (row) => row.createdBy.fullName,
    },
    filters: [],
    readers: ['owner', 'moderator'],
    refused: { staff: 'role_forbidden', clientUser: 'role_forbidden' },
    strangers: ['rivalOwner'],
  },
  {
    list: '/partners/me/team',
    cells: { User: (row) => row.id, Mail: (row) => row.email, Name: (row) => row.fullName, Permission: (row) => row.partnerRole },
    filters: [],
    readers: ['owner', 'moderator'],
    refused: { staff: 'role_forbidden', clientUser: 'role_forbidden' },
    strangers: ['rivalOwner'],
  },
  {
    list: '/chatbot',
    cells: { Client: (row) => row.clientId, 'Client name': (row) => row.clientName, Active: (row) => row.isActive },
    filters: [],
    readers: ['owner', 'moderator'],
    refused: { staff: 'role_forbidden', clientUser: 'role_forbidden' },
    strangers: ['rivalOwner'],
  },
  {
    list: '/chatbot/conversations/:id/messages',
    cells: { Message: (row) => row.id, When: (row) => row.at, Author: (row) => row.author, Text: (row) => row.text },
    filters: [],
    readers: ['owner', 'moderator', 'staff', 'clientUser'],
    refused: { rivalOwner: 'not_found', otherClientUser: 'not_found' },
    strangers: [],
  },
  {
    list: '/notifications',
    cells: { Notification: (row) => row.id, Title: (row) => row.title, Page: (row) => row.href, Read: (row) => row.readAt },
    filters: ['unread=true'],
    readers: ['owner'],
    refused: {},
    strangers: ['moderator', 'staff', 'clientUser', 'rivalOwner'],
  },
  {
    list: '/account-export',
    cells: { Export: (row) => row.id, Account: (row) => row.accountName, Status: (row) => row.status, Error: (row) => row.error },
    filters: ['status=failed', 'clientId=:clientId'],
    readers: ['owner', 'staff'],
    refused: { moderator: 'partner_role_forbidden' },
    strangers: ['clientUser', 'rivalOwner'],
  },
  {
    list: '/media',
    cells: {
      File: (row) => row.id,
      'File name': (row) => row.filename,
      'Size (bytes)': (row) => row.sizeBytes,
      Purpose: (row) => row.purpose,
    },
    filters: ['purpose=logo', 'clientId=:clientId'],
    readers: ['owner', 'moderator'],
    refused: {},
    strangers: ['staff', 'otherClientUser', 'rivalOwner'],
  },
];

describe('the CSV export of a list longer than an export reads at once', () => {
  const at = (path: string): string => path.replace(':id', conversationId).replace(':clientId', service.world.clientId);

  /** All rows of a list, page by page. */
  async function walk(list: string, filter: string, as: Person): Promise<Body[]> {
    const found: Body[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { status, body, text } = await service.call('GET', at(`${list}?limit=100&${filter}&cursor=${cursor}`), { as });
      assert.equal(status, 200, text);
      found.push(...body.data);
      cursor = body.nextCursor;
    }
    return found;
  }

  async function read(list: string, filter: string, as: Person): Promise<Record<string, string>[]> {
    const file = await service.call('GET', at(`${list}/export.csv?${filter}`), { as });
    assert.equal(file.status, 200, file.text);
    assert.match(String(file.headers['content-type']), /^text\/csv/);
    assert.doesNotMatch(file.text, /(^|,)=|key-of-a-file/m);
    return parse(file.text, { columns: true, bom: true });
  }

  for (const { list, cells, filters, readers, refused, strangers } of CASES) {
    const headings = Object.keys(cells);
    const shown = (row: Body) => headings.map((heading) => String(cells[heading]?.(row) ?? ''));
    const written = (row: Record<string, string>) => headings.map((heading) => rearm(row[heading] ?? ''));

    it(`holds what ${list} lists, in its order and under its filters`, async () => {
      const all = await walk(list, '', 'owner');
      assert.ok(all.length > CSV_PAGE);
      for (const as of readers) assert.deepEqual((await read(list, '', as)).map(written), all.map(shown), as);
      for (const filter of filters) {
        const some = await walk(list, filter, 'owner');
        assert.ok(some.length > CSV_PAGE && some.length < all.length, filter);
        assert.deepEqual((await read(list, filter, 'owner')).map(written), some.map(shown), filter);
      }
    });

    it(`holds nothing of ${list} that its reader may not list`, async () => {
      await service.assertRefused('GET', at(`${list}/export.csv`), refused);
      const own = new Set((await walk(list, '', 'owner')).map((row) => shown(row)[0]));
      for (const as of strangers) {
        const theirs = await walk(list, '', as);
        assert.deepEqual((await read(list, '', as)).map(written), theirs.map(shown), as);
        assert.ok(!theirs.some((row) => own.has(shown(row)[0])), as);
      }
      if (!filters.includes('clientId=:clientId')) return;
      const foreign = await service.call('GET', `${list}/export.csv?clientId=${service.world.rivalClientId}`, { as: 'owner' });
      assert.equal(foreign.body.code, 'not_found');
    });

    it(`reads ${list} with few statements, regardless of the number of rows`, async () => {
      assert.ok((await service.countStatements(() => read(list, '', 'owner'))) < 30);
    });
  }

  it('heads what a client reads in the language of the client', async () => {
    const { clientUser } = service.world.people;
    await rows(service, `update app_user set locale = 'de' where id = $1`, [clientUser.userId]);
    const heading = async (list: string) => (await service.call('GET', at(`${list}/export.csv`), { as: 'clientUser' })).text.split(';')[0];
    assert.equal(await heading('/chatbot/conversations/:id/messages'), '\uFEFFNachricht');
    assert.equal(await heading('/notifications'), '\uFEFFBenachrichtigung');
    assert.equal(await heading('/media'), '\uFEFFDatei');
    await rows(service, `update app_user set locale = 'es' where id = $1`, [clientUser.userId]);
    assert.equal(await heading('/account-export'), '\uFEFFExportación');
  });
});
