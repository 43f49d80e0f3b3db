import assert from 'node:assert/strict';
import { test } from 'node:test';
import { templateInput } from '@partner-portal/contract/records/template.ts';
import { choose, dialog, field, fill, holds, noDialog, open, press, screen, user, within } from '../../testing/portal.ts';
import { idOf, sample } from '../../testing/sample.ts';
import { type Answers, changed, reply, row } from '../../testing/service.ts';

/** Types into the field and leaves by the link: once the user stays, once not. */
async function asksBeforeLeaving(label: string, link: string, to: RegExp): Promise<void> {
  const start = location.href;
  const input = await field(label);
  await user.type(input, '1');
  const typed = input.value;
  const leave = async (): Promise<HTMLElement> => {
    await user.click((await screen.findAllByRole('link', { name: link }))[0] ?? document.body);
    return dialog(/^Leave without saving/);
  };
  await press('Stay', await leave());
  await noDialog();
  assert.equal(location.href, start);
  assert.equal((await field(label)).value, typed);
  await press('Leave', await leave());
  await holds(() => assert.match(location.pathname + location.search, to));
}

for (const { person, path, first, label, link, to } of [
  {
    person: 'owner',
    path: '/dashboard/settings/profile',
    first: undefined,
    label: 'Your name',
    link: 'Security',
    to: /settings\/security/,
  },
  {
    person: 'owner',
    path: '/dashboard/settings/alerts',
    first: 'Change',
    label: 'Agent failing after',
    link: 'Team',
    to: /settings\/team/,
  },
  { person: 'client', path: '/client/business', first: undefined, label: 'Opening hours', link: 'Activity', to: /client\/activity/ },
] as const)
  test(`leaving ${path} with unsaved input asks first`, async () => {
    await open(person, path);
    if (first) await press(first);
    await asksBeforeLeaving(label, link, to);
  });

test('the settings of a client ask when another tab of the page is opened, and nothing asks after a save', async () => {
  const client = reply('getClient', { id: idOf(2), name: 'Oak Street Dental', notes: 'Calls on Mondays' });
  const answers: Answers = { getClient: () => client, updateClient: ({ body }) => Object.assign(client, changed(client, body)) };
  const path = `/dashboard/clients/${client.id}?tab=settings`;
  await open('owner', path, answers);
  await asksBeforeLeaving('Trade', 'People', /tab=people/);
  const service = await open('owner', path, answers);
  await user.type(await field('Notes'), 'x');
  await press('Save changes');
  await holds(() => assert.ok(screen.queryByText('Everything is saved.')));
  await user.click((await screen.findAllByRole('link', { name: 'Runs' }))[0] ?? document.body);
  await holds(() => assert.equal(location.pathname, '/dashboard/runs'));
  await noDialog();
  assert.deepEqual(service.sent('updateClient').map(({ notes }) => notes), ['Calls on Mondaysx']); // prettier-ignore
});

/** Whether the browser asks before a reload. */
const reloadAsks = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('a draft of a reply asks before a reload until it is sent, and moving between pages keeps it', async () => {
  const talk = row('listConversations', { id: idOf(101), clientId: idOf(2), visitorLabel: 'Visitor 1', status: 'open' });
  await open('owner', `/dashboard/inbox/${talk.id}`, {
    listConversations: { data: [talk], nextCursor: null },
    getConversation: { ...reply('getConversation'), ...talk },
    replyToConversation: ({ body }) => row('listMessages', { id: idOf(201), text: body.text }),
  });
  const box = await screen.findByRole('textbox', { name: /reply/i });
  assert.ok(!reloadAsks());
  await user.type(box, 'Parking is free');
  assert.ok(reloadAsks());
  await user.click((await screen.findAllByRole('link', { name: 'Runs' }))[0] ?? document.body);
  await holds(() => assert.equal(location.pathname, '/dashboard/runs'));
  await noDialog();
  assert.ok(reloadAsks());
  history.back();
  const kept = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /reply/i });
  assert.equal(kept.value, 'Parking is free');
  await user.type(kept, '{Enter}');
  await holds(() => assert.ok(!reloadAsks()));
});

test('a key typed in a drawer asks when another row is opened, and closing the drawer does not', async () => {
  await open('owner', '/dashboard/integrations?service=resend');
  const key = await fill(/^API key/, 're_1', await dialog('Resend'));
  const services = await screen.findByRole('table', { name: 'Services' });
  await press('Add default: Twilio', services);
  await press('Stay', await dialog(/^Leave without saving/));
  await dialog('Resend');
  assert.equal(key.value, 're_1');
  await press('Add default: Twilio', services);
  await press('Leave', await dialog(/^Leave without saving/));
  await fill('Account SID', 'AC1', await dialog('Twilio'));
  await press('Close', await dialog('Twilio'));
  await noDialog();
});

test('a pasted table and columns that were mapped ask before the import is left, and an edited event before its page is', async () => {
  const columns = () => screen.findByRole('heading', { name: 'What the columns hold' });
  const table = 'Firm;Ort\nOak;Ulm';
  await open('owner', '/dashboard/clients/import');
  await fill('Or paste a table', table);
  assert.ok(reloadAsks());
  await press('Use the pasted table');
  await columns();
  assert.ok(reloadAsks());
  await open('owner', '/dashboard/clients/import');
  await user.upload(await field('File of clients'), new File([table], 'clients.csv', { type: 'text/csv' }));
  await columns();
  assert.ok(!reloadAsks(), 'the file is still there');
  await choose('Field of the column Firm', 'Name');
  assert.ok(reloadAsks());
  await user.click((await screen.findAllByRole('link', { name: 'Runs' }))[0] ?? document.body);
  await press('Leave', await dialog(/^Leave without saving/));
  await holds(() => assert.equal(location.pathname, '/dashboard/runs'));

  const agent = reply('getAgent', { id: idOf(50), name: 'Text-back', installed: true, isActive: true });
  const input = { key: 'remark', label: 'Remark', required: true, example: 'x' };
  const workflow = reply('getWorkflow', { id: idOf(50) });
  await open('owner', `/dashboard/agents/${idOf(50)}`, {
    getAgent: agent,
    getWorkflow: { ...workflow, inputs: [sample(templateInput, input)] },
    triggerWorkflow: reply('triggerWorkflow', { executionId: idOf(99) }),
    getExecution: reply('getExecution', { id: idOf(99) }),
  });
  await press('Run once');
  const asked = await dialog();
  assert.ok(!reloadAsks());
  await user.type(await field(/^Remark/, asked), 'y');
  assert.ok(reloadAsks());
  await press('Run once', asked);
  // Sent, it is lost by nothing.
  await holds(() => assert.equal(location.pathname, `/dashboard/runs/${idOf(99)}`));
  assert.equal(within(document.body).queryByRole('button', { name: 'Stay' }), null);
});
