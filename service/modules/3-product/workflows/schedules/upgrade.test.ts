import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@partner-portal/tests/harness/database.ts';
import { createOldDatabase } from '@partner-portal/tests/harness/old-database.ts';
import { prepareDatabase } from '#platform/db/migrate.ts';
import { withClient } from '#platform/db/roles.ts';

/** A database whose agents knew whom they reached by the person alone. */

const DATABASE = `before_sent_about_${process.pid}`;
let neighbor: TestDatabase;

const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
  const { rows } = await withClient({ ...neighbor.host.adminConfig, database: DATABASE }, (client) => client.query(text, values));
  return rows;
};

before(async () => {
  neighbor = await createTestDatabase();
  await createOldDatabase(neighbor.host, DATABASE, '0120');
});
after(async () => {
  await withClient(neighbor.host.adminConfig, (client) => client.query(`drop database ${DATABASE} with (force)`));
  await neighbor.drop();
});

it('an upgrade reminds no one again: what went out before keeps back events about any visit or quote of the person, and nothing that was planned', async () => {
  await query(
    `with p as (insert into partner (name, slug) values ('Agency', 'agency') returning id),
       w as (insert into workflow (partner_id, name, template_name) select p.id, t, t from p, unnest(array['appointment-reminder', 'quote-follow-up', 'missed-call-text-back']) t
         returning id, partner_id)
     insert into workflow_contact (partner_id, workflow_id, contact, last_at)
     select w.partner_id, w.id, c.contact, now() - c.ago from w,
       (values ('+13125550121', interval '1 hour'), ('ada@example.com', interval '2 days'), ('+13125550122', interval '101 days')) c(contact, ago)`,
  );
  await prepareDatabase(neighbor.host, DATABASE);
  const known = (isPlanned: boolean) =>
    query(
      `select w.template_name as name, c.contact, s.contact_at = m.last_at as known from workflow w join workflow_contact m on m.workflow_id = w.id
         cross join lateral (select m.contact) c cross join lateral sent_about(w.id, '{"quoteUrl":"https://x.example/1","startTime":"2027-01-05T15:00:00Z"}', array[m.contact], '{}', $1) s
       where s.contact_at is not null order by 1, 2`,
      [isPlanned],
    );
  assert.deepEqual(
    await known(false),
    ['appointment-reminder', 'quote-follow-up'].flatMap((name) =>
      ['+13125550121', 'ada@example.com'].map((contact) => ({ name, contact, known: true })),
    ),
  );
  assert.deepEqual(await known(true), []);
});
